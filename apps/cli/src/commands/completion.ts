import type { Command } from 'commander';
import { CliError } from '../core/errors.js';
import { type CommandGroup, examples } from '../core/run.js';

const SHELLS = { bash, zsh, fish };

export const completionCommands: CommandGroup = (program, cli) => {
  program
    .command('completion <shell>')
    .summary('print the completion for bash, zsh or fish')
    .description('Prints a script that teaches your shell the commands and options of weir.')
    .addHelpText(
      'after',
      examples(
        'weir completion bash > ~/.local/share/bash-completion/completions/weir',
        'weir completion zsh > ~/.zfunc/_weir (a folder of $fpath)',
        'weir completion fish > ~/.config/fish/completions/weir.fish',
      ),
    )
    .action(
      cli.action(async ({ out, args: [shell = ''] }) => {
        if (!Object.hasOwn(SHELLS, shell))
          throw new CliError(`There is no completion for ${shell}`, 'Choose bash, zsh or fish.');
        const script = SHELLS[shell as keyof typeof SHELLS](wordsOf(program));
        out.result({ shell, script }, () => script.trimEnd());
      }),
    );
};

/** The words that may follow those of a command, such as `receipt` → `verify`. The program itself is the empty text. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: string) => {
    const own = command.options.map(({ long }) => long ?? '').filter(Boolean);
    const inherited = program.options.map(({ long }) => long ?? '');
    const commands = command.commands.map((one) => one.name());
    words.set(path, [...commands, ...new Set([...own, ...inherited, '--help'])]);
    // After an option that takes a value, only the choices of that option may follow.
    for (const { long, argChoices } of command.options)
      if (long && argChoices) words.set(`${path} ${long}`, argChoices);
    for (const one of command.commands) visit(one, `${path} ${one.name()}`.trim());
  };
  visit(program, '');
  return words;
}

/** Only commands lengthen the path: options, their values and arguments do not. */
const paths = (words: Words): string[] => quoted(words, (path) => path !== '' && !isOption(path));

/** Options with choices, which follow such an option and nothing else. */
const chosen = (words: Words): string[] => quoted(words, isOption);

const isOption = (path: string): boolean => path.includes(' --');
const quoted = (words: Words, isMeant: (path: string) => boolean): string[] =>
  [...words.keys()].filter(isMeant).map((path) => `'${path}'`);

const cases = (words: Words, set: (next: string) => string): string =>
  [...words].map(([path, next]) => `    '${path}') ${set(next.join(' '))} ;;`).join('\n');

function bash(words: Words): string {
  return `# bash completion of weir
_weir() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in ${paths(words).join('|')}) path="\${path:+$path }$word" ;; esac
  done
  word="$path \${COMP_WORDS[COMP_CWORD-1]}"
  case "$word" in ${chosen(words).join('|')}) path="$word" ;; esac
  case "$path" in
${cases(words, (next) => `words='${next}'`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -o filenames -F _weir weir
`;
}

function zsh(words: Words): string {
  return `#compdef weir
_weir() {
  local place='' word
  local -a next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in (${paths(words).join('|')}) place="\${place:+$place }$word" ;; esac
  done
  word="$place \${words[CURRENT-1]}"
  case "$word" in (${chosen(words).join('|')}) place="$word" ;; esac
  case "$place" in
${cases(words, (next) => `next=(${next})`)}
  esac
  compadd -- $next || _files
}
# From a folder of $fpath, this file is the body of the function at its first call.
if [[ $funcstack[1] = _weir ]]; then _weir "$@"; else compdef _weir weir; fi
`;
}

function fish(words: Words): string {
  const lines = [...words].map(([path, next]) => `complete -c weir -n "__weir_at '${path}'" -a '${next.join(' ')}'`);
  return `# fish completion of weir
function __weir_at
  set -l place
  for word in (commandline -opc)[2..-1]
    contains -- (string join -- ' ' $place $word) ${paths(words).join(' ')}; and set -a place $word
  end
  set -l last "$place "(commandline -opc)[-1]
  contains -- $last ${chosen(words).join(' ')}; and set place $last
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}
