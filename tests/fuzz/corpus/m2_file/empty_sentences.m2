S

S 

S  	
A 0 0|||M|||a|||REQUIRED|||-NONE-|||0

