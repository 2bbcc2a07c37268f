x = 'Grüße'
