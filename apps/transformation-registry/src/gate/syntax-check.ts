import { Injectable } from '@nestjs/common';
import { CheckCode, invalidField, isAppError } from '@weir/contracts';
import { parse } from 'acorn';
import { bundleOf } from '../bundles/bundle.service.js';
import { checkCode } from '../rules/fields.js';
import { type Deadline, SandboxClient } from './sandbox.client.js';

interface Code {
  workspaceId: string;
  /** The file name in the message. */
  name: string;
  code: string;
}

/** Refuses drafts that are not JavaScript. They do not run, so a good one needs no sandbox. */
@Injectable()
export class SyntaxCheck {
  constructor(private readonly sandbox: SandboxClient) {}

  async require({ workspaceId, name, code }: Code, deadline: Deadline): Promise<void> {
    const found = syntaxProblem(checkCode(code));
    if (found === undefined) return;
    const problem = await this.problemOf({ workspaceId, name, code }, deadline, found);
    if (problem !== undefined) throw invalidField('code', `does not parse: ${problem}`);
  }

  /** The engine that runs the code has the last word, in the words of a publish. `found` stands in while it is away. */
  private async problemOf({ workspaceId, name, code }: Code, deadline: Deadline, found: string) {
    const bundle = bundleOf({ versionId: 'draft', name, code }, []);
    try {
      const { error } = await this.sandbox.send(CheckCode, { workspaceId, bundle, kind: 'library' }, deadline);
      return error?.message.startsWith('SyntaxError') ? error.message : undefined;
    } catch (error) {
      if (isAppError(error) && (error.code === 'unavailable' || error.code === 'timeout')) return found;
      throw error;
    }
  }
}

/** Says why the text is not a JavaScript module. Undefined if it is one. Executes nothing. */
export function syntaxProblem(code: string): string | undefined {
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : undefined;
  }
}
