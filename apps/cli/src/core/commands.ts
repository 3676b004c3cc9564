import type { Command } from 'commander';

/** The commands that do something, in the order of the help. Those that only group others are left out. */
export function leafCommands(command: Command): Command[] {
  return command.commands.flatMap((one) => (one.commands.length === 0 ? [one] : leafCommands(one)));
}

/** `receipt verify`: the words that call a command. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
