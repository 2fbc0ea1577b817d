// Shaders. All surfaces are coloured and lit alike: a map of colours looked up by value, one light at the eye's
// shoulder and a sky, so that shapes are seen from everywhere.

const colourOf = /* glsl */ `
    uniform sampler2D colourMap;
    uniform vec2 range;        // values at the two ends of the map
    uniform float isCategory;  // 1: values are whole numbers, each with a texel of its own
    vec3 colourOf(float value) {
        if (isnan(value)) return vec3(0.5);
        float share = isCategory > 0.5 ? (mod(value, 18.0) + 0.5) / 256.0
                                       : clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0;
        return texture(colourMap, vec2(share, 0.5)).rgb;
    }
`;

const lit = /* glsl */ `
    uniform vec3 skyInEye;
    vec3 lit(vec3 colour, vec3 normal, vec3 toEye) {
        float key = max(dot(normal, normalize(vec3(0.35, 0.5, 0.8))), 0.0);
        float sky = 0.5 + 0.5 * dot(normal, skyInEye);
        float shine = pow(max(dot(reflect(-normalize(vec3(0.35, 0.5, 0.8)), normal), toEye), 0.0), 30.0);
        return colour * (0.62 * key + 0.22 + 0.22 * sky) + 0.10 * shine;
    }
`;

// Bodies beyond the plane, or outside the slab, are cut away; distances along the normal, from the origin of the frame.
const isCut = /* glsl */ `
    uniform vec4 clip;  // normal, lower end of what is shown; off if the normal is zero
    uniform float clipTop;
    bool isCut(vec3 place) {
        float along = dot(place, clip.xyz);
        return dot(clip.xyz, clip.xyz) > 0.0 && (along < clip.w || along > clipTop);
    }
`;

// A square that faces the eye, just large enough for what is seen of the sphere.
export const sphereVertex = /* glsl */ `
    in vec3 position;
    in vec4 sphere;
    in float value;
    uniform mat4 modelViewMatrix, projectionMatrix;
    uniform float scale, isFlat;
    uniform int selected, verticesEach;  // 0: spheres are instances
    out vec3 place;
    flat out vec3 centre;
    flat out float radius;
    flat out vec3 colour;
    ${colourOf}
    ${isCut}
    void main() {
        radius = sphere.w * scale;
        centre = (modelViewMatrix * vec4(sphere.xyz, 1.0)).xyz;
        colour = colourOf(value);
        if ((verticesEach > 0 ? gl_VertexID / verticesEach : gl_InstanceID) == selected) colour = vec3(1.0, 0.1, 0.45);
        vec3 toEye = isFlat > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-centre);
        vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toEye));
        float far = dot(centre, centre), grown = 1.0;
        if (isFlat < 0.5) grown = sqrt(far / max(far - radius * radius, 1e-6 * far));
        place = centre + radius * grown * (position.x * right + position.y * cross(toEye, right));
        gl_Position = projectionMatrix * vec4(place, 1.0);
        if (radius <= 0.0 || isCut(sphere.xyz)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
`;

export const sphereFragment = /* glsl */ `
    precision highp float;
    in vec3 place;
    flat in vec3 centre;
    flat in float radius;
    flat in vec3 colour;
    uniform mat4 projectionMatrix;
    uniform float isFlat;
    out vec4 pixel;
    ${lit}
    void main() {
        vec3 origin = isFlat > 0.5 ? vec3(place.xy, 0.0) : vec3(0.0);
        vec3 ray = isFlat > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(place);
        vec3 away = origin - centre;
        float along = dot(away, ray);
        vec3 nearest = away - along * ray;
        float inside = radius * radius - dot(nearest, nearest);
        if (inside < 0.0) discard;
        vec3 hit = origin + (-along - sqrt(inside)) * ray;
        vec4 clipped = projectionMatrix * vec4(hit, 1.0);
        gl_FragDepth = 0.5 * clipped.z / clipped.w + 0.5;
        pixel = vec4(pow(lit(colour, (hit - centre) / radius, -ray), vec3(1.0 / 1.1)), 1.0);
    }
`;

// A mesh that stands in many places: at `place`, `place.w` times as large, turned by a quaternion.
export const surfaceVertex = /* glsl */ `
    in vec3 position, normal;
    in vec4 place, turn;
    in float value, body;
    uniform mat4 modelViewMatrix, projectionMatrix;
    uniform mat3 normalMatrix;
    uniform float selectedBody;
    out vec3 seen, turned, cutPlace;
    flat out vec3 colour;
    ${colourOf}
    vec3 rotated(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
    void main() {
        cutPlace = place.xyz + place.w * rotated(position);
        seen = (modelViewMatrix * vec4(cutPlace, 1.0)).xyz;
        turned = normalMatrix * rotated(normal);
        colour = body == selectedBody ? vec3(1.0, 0.1, 0.45) : colourOf(value);
        gl_Position = projectionMatrix * vec4(seen, 1.0);
    }
`;

export const surfaceFragment = /* glsl */ `
    precision highp float;
    in vec3 seen, turned, cutPlace;
    flat in vec3 colour;
    uniform float isFlat;
    out vec4 pixel;
    ${lit}
    ${isCut}
    void main() {
        if (isCut(cutPlace)) discard;
        vec3 toEye = isFlat > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-seen);
        vec3 normal = normalize(turned);
        if (dot(normal, toEye) < 0.0) normal = -normal;
        pixel = vec4(lit(colour, normal, toEye), 1.0);
    }
`;

// Sticks from one point to another: velocities (cones) and branches of contacts (cylinders). `position.z` runs from 0 at
// the start to 1 at the end.
export const stickVertex = /* glsl */ `
    in vec3 position;
    in vec3 from, to;
    in float width, share;
    uniform mat4 modelViewMatrix, projectionMatrix;
    uniform float tip;  // width at the end, as a share of that at the start
    uniform float widthScale;
    uniform vec3 low, high;
    out vec3 place, turned;
    flat out vec3 colour;
    ${isCut}
    void main() {
        vec3 axis = to - from;
        float length = max(length(axis), 1e-30);
        axis /= length;
        vec3 side = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
        vec3 around = position.x * side + position.y * cross(axis, side);
        vec3 point = from + axis * length * position.z + around * width * widthScale * mix(1.0, tip, position.z);
        place = (modelViewMatrix * vec4(point, 1.0)).xyz;
        turned = mat3(modelViewMatrix) * around;
        colour = mix(low, high, share);
        gl_Position = projectionMatrix * vec4(place, 1.0);
        if (isCut(0.5 * (from + to))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }
`;

export const stickFragment = /* glsl */ `
    precision highp float;
    in vec3 place, turned;
    flat in vec3 colour;
    uniform float isFlat;
    out vec4 pixel;
    ${lit}
    void main() {
        vec3 toEye = isFlat > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-place);
        pixel = vec4(lit(colour, normalize(turned), toEye), 1.0);
    }
`;
