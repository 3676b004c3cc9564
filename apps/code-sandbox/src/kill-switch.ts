import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppError, CODE_SWITCHED_SUBJECT, CodeSwitched } from '@weir/contracts';
import { NATS } from '@weir/messaging';

/** Injection token of what the environment switches off. */
export const SWITCHED_OFF = Symbol('SWITCHED_OFF');

export interface SwitchedOff {
  everything: boolean;
  workspaces: readonly string[];
}

/**
 * Refuses user code of the workspaces that are switched off, or all of it. The environment sets the state at start, and the fact
 * `sandbox.code.switched.v1` changes it until the next start. Runs under way end on their own within 4 s.
 */
@Injectable()
export class KillSwitch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KillSwitch.name);
  private isEverythingOff: boolean;
  private readonly workspaces: Set<string>;
  private facts: Subscription | undefined;

  constructor(
    @Inject(SWITCHED_OFF) { everything, workspaces }: SwitchedOff,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {
    this.isEverythingOff = everything;
    this.workspaces = new Set(workspaces);
  }

  onApplicationBootstrap(): void {
    this.facts = this.nats.subscribe(CODE_SWITCHED_SUBJECT, {
      callback: (_error, message) => this.hear(message.string()),
    });
  }

  onModuleDestroy(): void {
    this.facts?.unsubscribe();
  }

  /** Throws `disabled` if the workspace is switched off. */
  assertOn(workspaceId: string): void {
    if (!this.isEverythingOff && !this.workspaces.has(workspaceId)) return;
    throw new AppError('disabled', 'User code is switched off by the operator; nothing was run');
  }

  private hear(json: string): void {
    const fact = switchedOf(json);
    if (!fact) {
      this.logger.warn(`${CODE_SWITCHED_SUBJECT}: not understood`);
      return;
    }
    const { workspaceId, disabled } = fact;
    if (workspaceId === undefined) this.isEverythingOff = disabled;
    else if (disabled) this.workspaces.add(workspaceId);
    else this.workspaces.delete(workspaceId);
    this.logger.warn(`user code of ${workspaceId ?? 'all workspaces'} is ${disabled ? 'off' : 'on'}`);
  }
}

function switchedOf(json: string): CodeSwitched | undefined {
  try {
    return CodeSwitched.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
