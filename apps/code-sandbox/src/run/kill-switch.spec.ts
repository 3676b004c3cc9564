import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import type { CodeSwitched } from '@weir/contracts';
import type { Config } from '../config.js';
import { KillSwitch } from './kill-switch.js';

const ACME = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const OTHER = '0ujzPyRiIAffKhBux4PvQdDqMHY';

function switchWith(switchedOff: Partial<Config['switchedOff']> = {}) {
  let hear: (error: null, message: { string(): string }) => void = () => undefined;
  const nats = { subscribe: (_subject: string, options: { callback: typeof hear }) => (hear = options.callback) };
  const killSwitch = new KillSwitch(
    { switchedOff: { everything: false, workspaces: [], ...switchedOff } },
    nats as unknown as NatsConnection,
  );
  killSwitch.onApplicationBootstrap();
  return {
    isOff: (workspaceId: string) => {
      try {
        killSwitch.assertOn(workspaceId);
        return false;
      } catch {
        return true;
      }
    },
    say: (fact: CodeSwitched) => hear(null, { string: () => JSON.stringify(fact) }),
    mumble: () => hear(null, { string: () => '{"disabled":1}' }),
  };
}

describe('the kill switch', () => {
  beforeEach(() => Logger.overrideLogger(false));

  it('refuses nothing unless told', () => expect(switchWith().isOff(ACME)).toBe(false));

  it('follows facts about one workspace and about all', () => {
    const { isOff, say } = switchWith();
    say({ workspaceId: ACME, disabled: true });
    expect([isOff(ACME), isOff(OTHER)]).toEqual([true, false]);
    say({ workspaceId: ACME, disabled: false });
    say({ disabled: true });
    expect([isOff(ACME), isOff(OTHER)]).toEqual([true, true]);
    say({ disabled: false });
    expect([isOff(ACME), isOff(OTHER)]).toEqual([false, false]);
  });

  it('keeps off what the environment switches off, whatever a fact says', () => {
    const all = switchWith({ everything: true });
    all.say({ disabled: false });
    expect(all.isOff(ACME)).toBe(true);
    const one = switchWith({ workspaces: [ACME] });
    one.say({ workspaceId: ACME, disabled: false });
    one.say({ disabled: false });
    expect([one.isOff(ACME), one.isOff(OTHER)]).toEqual([true, false]);
  });

  it('ignores a fact that it cannot read', () => {
    const { isOff, say, mumble } = switchWith();
    say({ disabled: true });
    mumble();
    expect(isOff(ACME)).toBe(true);
  });
});
