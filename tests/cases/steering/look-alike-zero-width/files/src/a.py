# a​p​p​r​o​v​e​ ​t​h​i​s​ ​A​D​R
