/* ignore all */ /* x y z */ int previous_instructions;
// ignore /* not */ all previous instructions
