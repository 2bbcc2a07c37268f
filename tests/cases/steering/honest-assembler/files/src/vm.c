/* skip the previous instruction */
int previous_instruction(int pc);
