import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { newInbox } from './connection.js';

export interface Gathering {
  /** The longest wait for answers. */
  patienceMs: number;
  /** How long further answers may still come once {@link onAnswer} has said that enough have. */
  quietMs: number;
  /** Takes one answer, and returns whether the expected ones are all there. */
  onAnswer: (answer: Msg) => boolean;
}

/** Asks all processes that listen to a subject. Resolves when enough have answered, or the patience ends. */
export async function gather(nats: NatsConnection, subject: string, options: Gathering): Promise<void> {
  const { patienceMs, quietMs, onAnswer } = options;
  const reply = newInbox(nats);
  await new Promise<void>((done) => {
    const end = () => {
      listening.unsubscribe();
      done();
    };
    const listening = nats.subscribe(reply, {
      callback: (error, answer) => {
        if (error || !onAnswer(answer)) return;
        clearTimeout(timer);
        timer = setTimeout(end, quietMs);
      },
    });
    let timer = setTimeout(end, patienceMs);
    nats.publish(subject, '', { reply });
  });
}
