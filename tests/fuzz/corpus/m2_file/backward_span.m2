S a b
A 2 1|||X|||y|||REQUIRED|||-NONE-|||0
