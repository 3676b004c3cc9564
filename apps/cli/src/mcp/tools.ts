import { resolve } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import camelCase from 'lodash-es/camelCase.js';
import { z } from 'zod';
import { leafCommands, pathOf } from '../core/commands.js';
import { isInside } from '../core/inside.js';
import { EFFECTS } from './effects.js';

/** Bounds of one call. Longer inputs are mistakes: files carry what is large. */
const TEXT_CHARS_MAX = 10_000;
const LIST_MAX = 1_000;
/** They are for the process, not for a caller. Results are always JSON. */
const OPTIONS_OF_THE_PROCESS = ['json', 'color', 'help'];
/** It writes what a command that reads would print. */
const WRITING_OPTION = 'out';

/** A command as a tool for assistants. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  isReadOnly: boolean;
  input: z.ZodObject;
  /** The words to run the command with. */
  argv(input: Readonly<Record<string, unknown>>): string[];
}

/**
 * One tool for each command, made from its definition. Without `mayWrite` these only read: a command that writes is there
 * if it has a dry run, and then for nothing else.
 */
export function toolsOf(program: Command, { cwd, mayWrite }: { cwd: string; mayWrite: boolean }): Tool[] {
  return leafCommands(program).flatMap((command) => {
    const effect = EFFECTS[pathOf(command)] ?? 'left out';
    const isReadOnly = effect === 'reads' || !mayWrite;
    const hasDryRun = command.options.some((option) => option.attributeName() === 'dryRun');
    const isThere = effect === 'reads' || (effect === 'writes' && (mayWrite || hasDryRun));
    return isThere ? [toolOf(command, { cwd, isReadOnly, isDryRun: effect === 'writes' && isReadOnly })] : [];
  });
}

function toolOf(
  command: Command,
  { cwd, isReadOnly, isDryRun }: { cwd: string; isReadOnly: boolean; isDryRun: boolean },
) {
  const hidden = isReadOnly ? [...OPTIONS_OF_THE_PROCESS, WRITING_OPTION] : OPTIONS_OF_THE_PROCESS;
  const options = command.options.filter((option) => !hidden.includes(option.attributeName()));
  const args = command.registeredArguments;
  const input = z.strictObject({
    ...Object.fromEntries(args.map((one) => [camelCase(one.name()), inputOfArgument(one, cwd)])),
    ...Object.fromEntries(options.map((one) => [one.attributeName(), inputOfOption(one, cwd)])),
    ...(isDryRun && { dryRun: z.literal(true).describe('must be true, because this server only reads') }),
  });
  return {
    name: pathOf(command).replaceAll(' ', '_'),
    title: command.summary(),
    description: command.description(),
    isReadOnly,
    input,
    argv: (given) => [
      ...['--json', ...pathOf(command).split(' ')],
      ...options.flatMap((one) => wordsOf(one, given[one.attributeName()])),
      ...args.flatMap((one) => [given[camelCase(one.name())] ?? []].flat().map(String)),
    ],
  } satisfies Tool;
}

/** `--name=value`, so that a value that looks like an option is none. */
function wordsOf(option: Option, value: unknown): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [String(option.long)];
  return [value].flat().map((one) => `${option.long}=${String(one)}`);
}

function inputOfArgument(argument: Argument, cwd: string): z.ZodType {
  const { required, variadic, description } = argument;
  const text = textOf(argument.name(), cwd).regex(/^[^-]/, 'must not be empty or begin with -');
  const value = variadic
    ? z
        .array(text)
        .min(required ? 1 : 0)
        .max(LIST_MAX)
    : text;
  return (required ? value : value.optional()).describe(description || argument.name());
}

function inputOfOption(option: Option, cwd: string): z.ZodType {
  const { argChoices, variadic, description, mandatory, flags } = option;
  const [, placeholder = ''] = /<([^<>]*)/.exec(flags) ?? [];
  const one = argChoices ? z.enum(argChoices) : textOf(placeholder, cwd);
  const value = option.isBoolean() ? z.boolean() : variadic ? z.array(one).min(1).max(LIST_MAX) : one;
  return (mandatory ? value : value.optional()).describe(description);
}

/** Names of files are refused outside of the folder that the server runs in: what an assistant reads may tell it to ask. */
function textOf(placeholder: string, cwd: string): z.ZodString {
  const text = z.string().max(TEXT_CHARS_MAX);
  if (!/\b(?:file|folder)\b/.test(placeholder)) return text;
  return text.refine((path) => isInside(cwd, resolve(cwd, path)), { error: `must be inside of the folder ${cwd}` });
}
