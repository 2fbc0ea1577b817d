# Draws the yield surfaces of docs/visco-plastic-contacts.md. Run in this folder: gnuplot yield_surfaces.gp
set terminal pngcairo size 420,340 font "sans,10"
set size ratio -1
set xrange [-3:7]
set yrange [-4:4]
set xzeroaxis lt -1
set yzeroaxis lt -1
set xlabel "normal force, N (push > 0)"
set ylabel "shear force, N"
set style fill solid 0.25
set samples 400
unset key
mu = 0.6; c = 2.0; d = 1.2; r = 5.0
length = sqrt(1 + mu*mu)

# Half width of a cone with its apex at -apex, rounded by a ball b, at normal force x.
cone(x, apex) = x < -apex ? NaN : mu*(x + apex)
rounded(x, b) = x < -b ? NaN : x < -b*mu/length ? sqrt(b*b - x*x) : mu*x + b*length
# With a cap: the rim is rounded too.
rim(b) = mu*(r - b)
capped(x, b) = x > r ? NaN : x <= r - b - b*mu/length ? rounded(x, b) : rim(b) + sqrt(b*b - (x - r + b)**2)

set output "yield_coulomb.png"
set title "friction: a cone"
plot '+' using 1:(-cone($1, 0)):(cone($1, 0)) with filledcurves lc rgb "#1f77b4"

set output "yield_cohesive.png"
set title "cohesion\\_force c = 2 N: the apex is pulled back"
set label 1 "-c" at -c, -0.5 center
plot '+' using 1:(-cone($1, c)):(cone($1, c)) with filledcurves lc rgb "#2ca02c"

set output "yield_rounded.png"
set title "rounding d = 1.2 N: cone and ball"
set label 1 "-d" at -d - 0.4, -0.5 center
plot '+' using 1:(-rounded($1, d)):(rounded($1, d)) with filledcurves lc rgb "#ff7f0e"

set output "yield_capped.png"
set title "rounding d = 1.2 N and cap r = 5 N"
set label 2 "r" at r + 0.3, -0.5 center
plot '+' using 1:(-capped($1, d)):(capped($1, d)) with filledcurves lc rgb "#d62728"
