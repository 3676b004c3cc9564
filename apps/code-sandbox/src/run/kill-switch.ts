import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppError, CODE_SWITCHED_SUBJECT, CodeSwitched } from '@weir/contracts';
import { NATS, onMessage } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { Config } from '../config.js';

/**
 * Refuses user code of the workspaces that are switched off, or all of it. The fact `sandbox.code.switched.v1` switches until the
 * next start. What the environment switches off stays off whatever a fact says. Runs under way end on their own within 4 s.
 */
@Injectable()
export class KillSwitch implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KillSwitch.name);
  private isEverythingOff = false;
  private readonly workspacesOff = new Set<string>();
  private facts: Subscription | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'switchedOff'>,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.facts = this.nats.subscribe(CODE_SWITCHED_SUBJECT, {
      callback: onMessage((message) => this.hear(message.string())),
    });
  }

  onModuleDestroy(): void {
    this.facts?.unsubscribe();
  }

  /** Throws `disabled` if the workspace is switched off. */
  assertOn(workspaceId: string): void {
    const { everything, workspaces } = this.config.switchedOff;
    const isOff =
      everything || workspaces.includes(workspaceId) || this.isEverythingOff || this.workspacesOff.has(workspaceId);
    if (!isOff) return;
    throw new AppError('disabled', 'The operator has switched off user code. Nothing was run');
  }

  private hear(json: string): void {
    const fact = switchedOf(json);
    if (!fact) {
      this.logger.warn(`${CODE_SWITCHED_SUBJECT}: not understood`);
      return;
    }
    const { workspaceId, disabled } = fact;
    if (workspaceId === undefined) this.isEverythingOff = disabled;
    else if (disabled) this.workspacesOff.add(workspaceId);
    else this.workspacesOff.delete(workspaceId);
    this.logger.warn(`user code of ${workspaceId ?? 'all workspaces'} was switched ${disabled ? 'off' : 'on'}`);
  }
}

function switchedOf(json: string): CodeSwitched | undefined {
  try {
    return CodeSwitched.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
