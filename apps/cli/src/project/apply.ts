import type { Ids, Plan, Step } from './plan.js';
import type { Draft, Workspace } from './workspace.js';

type Of<Kind, Action = unknown> = Extract<Step, { kind: Kind } & (Action extends string ? { action: Action } : object)>;
type Put<Kind> = Extract<Step, { kind: Kind; action: 'create' | 'update' }>;

export interface ApplyOptions {
  /** Called before each step, with its number. */
  onStep?: (step: Step, number: number) => void;
}

/**
 * Runs the steps in order, and stops at the first that fails. Each step is one or two requests that can be repeated: a plan that
 * is made after a failure or a kill has only the steps that are left.
 */
export async function apply(plan: Plan, workspace: Workspace, { onStep }: ApplyOptions = {}): Promise<void> {
  const run = new Run(workspace, plan.ids);
  for (const [at, step] of plan.steps.entries()) {
    onStep?.(step, at + 1);
    await run.step(step);
  }
}

class Run {
  private readonly drafts = new Map<string, Draft>();

  constructor(
    private readonly workspace: Workspace,
    private readonly ids: Ids,
  ) {}

  step(step: Step): Promise<void> {
    if (step.action === 'delete') return this.workspace.delete(step.kind, step);
    switch (step.kind) {
      case 'credential':
        return this.workspace.putCredential(step.name, step.body);
      case 'library':
      case 'transformation':
        return this.draft(step);
      case 'code':
        return this.publish(step);
      case 'source':
        return this.putSource(step);
      case 'destination':
        return this.putDestination(step);
      case 'connection':
        return this.putConnection(step);
    }
  }

  private async draft(step: Put<'library' | 'transformation'>): Promise<void> {
    if (step.body === undefined) return;
    const made = await this.workspace.draft(step.kind, step.action === 'update' ? step : undefined, step.body);
    this.ids.set(step.kind, step.name, made.id);
    this.drafts.set(`${step.kind}/${step.name}`, made);
  }

  private publish({ code }: Of<'code'>): Promise<void> {
    return this.workspace.publish(
      code.map(({ kind, name, existing, events, tests }) => {
        const draft = existing ?? this.drafts.get(`${kind}/${name}`);
        if (draft === undefined) throw new Error(`no draft of ${kind} "${name}"`);
        return {
          kind,
          versionId: draft.versionId,
          etag: draft.etag,
          ...(events && { events }),
          ...(tests && { tests }),
        };
      }),
    );
  }

  private async putSource(step: Put<'source'>): Promise<void> {
    const { id, writeKey } = step.action === 'update' ? step : await this.workspace.createSource(step.body ?? {});
    this.ids.set('source', step.name, id);
    if (step.action === 'update' && step.body) await this.workspace.updateSource(step, step.body);
    if (step.privacy) await this.workspace.putPrivacy(writeKey, step.privacy);
  }

  /** A new destination is linked before anything is connected to it. */
  private async putDestination(step: Put<'destination'>): Promise<void> {
    const id = step.action === 'update' ? step.id : (await this.workspace.createDestination(step.body ?? {})).id;
    this.ids.set('destination', step.name, id);
    if (step.action === 'update' && step.body) await this.workspace.updateDestination(step, step.body);
    if (step.transformation === null) await this.workspace.unlink(id);
    else if (step.transformation !== undefined)
      await this.workspace.link(id, this.ids.get('transformation', step.transformation));
  }

  private putConnection({ source, destination, enabled, ...step }: Put<'connection'>): Promise<void> {
    if (step.action === 'update') return this.workspace.updateConnection(step, { enabled });
    const sourceId = this.ids.get('source', source);
    return this.workspace.createConnection({
      sourceId,
      destinationId: this.ids.get('destination', destination),
      enabled,
    });
  }
}
