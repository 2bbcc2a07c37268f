# new
