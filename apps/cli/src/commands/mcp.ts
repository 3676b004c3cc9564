import { once } from 'node:events';
import { type CommandGroup, examples, type Run } from '../core/run.js';

export const mcpCommands: CommandGroup = (program, cli) => {
  program
    .command('mcp')
    .summary('serve the commands to assistants')
    .description(
      'Speaks the Model Context Protocol over its input and output, with a tool for each command. It only reads, unless --write is there.',
    )
    .option('--write', 'also offer the commands that change the workspace or files')
    .addHelpText('after', examples('weir mcp', 'weir mcp --write'))
    .action(cli.action(serve));

  /** Until the client goes away. The packages of the protocol are large, so only this command loads them. */
  async function serve({ io, options }: Run<{ write?: boolean }>): Promise<void> {
    const [{ StdioServerTransport }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('../mcp/server.js'),
    ]);
    const server = mcpServer(program, io, cli.runLine, options.write ?? false);
    const ended = once(process.stdin, 'close', { signal: io.signal }).catch(() => undefined);
    await server.connect(new StdioServerTransport());
    await ended;
    await server.close();
  }
};
