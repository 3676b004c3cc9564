import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  type ChannelSettings,
  channelAad,
  DELIVERY_TIMEOUT_MS,
  type JsonObject,
  webhookHeaders,
  webhookSignature,
} from '@weir/contracts';
import { EgressByOwner } from '@weir/egress';
import { CONFIG, Sealer } from '@weir/service-kit';
import { createTransport, type Transporter } from 'nodemailer';
import type { DelivererConfig } from '../config.js';
import type { Notification } from './notification.repository.js';
import { resourceTypeOf, sentenceOf } from './trouble.js';

/** Nothing in an answer matters but its status. */
const ANSWER_BYTES_MAX = 1_024;
const NO_MAIL_SERVER = 'There is no mail server: the operator of Weir sets SMTP_URL and SMTP_FROM';

/** Sends single messages. Each rejects with an error that shows no address. */
@Injectable()
export class Senders implements BeforeApplicationShutdown {
  private readonly sealer: Sealer;
  private readonly egress: EgressByOwner;
  /** The operator chose its address, so it needs no guard. */
  private readonly mail: Transporter | undefined;

  constructor(@Inject(CONFIG) private readonly config: DelivererConfig) {
    this.sealer = new Sealer(config.encryptionKey);
    this.egress = new EgressByOwner(config.egress);
    if (config.smtp) this.mail = createTransport({ url: config.smtp.url, ...MAIL_OPTIONS });
  }

  async send(notification: Notification): Promise<void> {
    const settings = this.settingsOf(notification);
    if (notification.type === 'email') return this.write(notification, settings);
    const isSlack = notification.type === 'slack';
    const body = JSON.stringify(isSlack ? { text: slackText(textOf(notification)) } : bodyOf(notification));
    const message = { id: `msg_${notification.id}`, sentAt: Math.floor(Date.now() / 1_000), text: body };
    const signed = () => webhookHeaders(message, (text) => webhookSignature(settings.secret ?? '', text));
    return this.post(notification.workspaceId, settings, body, isSlack ? {} : signed());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.mail?.close();
    await this.egress.close();
  }

  private settingsOf({ workspaceId, channelId, sealedSettings }: Notification): ChannelSettings {
    try {
      return this.sealer.open(sealedSettings, channelAad(workspaceId, channelId)) as ChannelSettings;
    } catch {
      throw new Error('The address was stored under another encryption key: save it again');
    }
  }

  private async post(owner: string, { url = '' }: ChannelSettings, body: string, headers: Record<string, string>) {
    const { status } = await this.egress.of(owner).request({
      ...{ method: 'POST', url, body, headers: { 'content-type': 'application/json', ...headers } },
      ...{ timeoutMs: DELIVERY_TIMEOUT_MS, maxResponseBytes: ANSWER_BYTES_MAX },
    });
    if (status < 200 || status > 299) throw new Error(`The address answered ${status}`);
  }

  private async write(notification: Notification, { to = [] }: ChannelSettings): Promise<void> {
    if (!this.mail) throw new Error(NO_MAIL_SERVER);
    const text = textOf(notification);
    const headers = { 'Auto-Submitted': 'auto-generated' };
    // nobody sees who else gets the mail
    const mail = { from: this.config.smtp?.from, bcc: to, subject: titleOf(notification), text, headers };
    const messageId = `<weir-${notification.workspaceId}-${notification.id}@weir>`;
    await this.mail.sendMail({ ...mail, messageId }).catch((error: MailError) => {
      throw new Error(`The mail server ${error.responseCode ? `answered ${error.responseCode}` : 'cannot be used'}`);
    });
  }
}

/** Messages are texts of Weir alone, so nothing may be read from files or addresses. */
const MAIL_OPTIONS = {
  ...{ disableFileAccess: true, disableUrlAccess: true },
  ...{
    connectionTimeout: DELIVERY_TIMEOUT_MS,
    greetingTimeout: DELIVERY_TIMEOUT_MS,
    socketTimeout: DELIVERY_TIMEOUT_MS,
  },
};

type MailError = Error & { responseCode?: number };

const TEST = 'This is a test. Messages of Weir reach this channel.';

/** The sentence of a message. */
const textOf = ({ what, trouble }: Notification): string => (trouble ? sentenceOf(trouble, what === 'resolved') : TEST);

/** The title of a mail, without anything that a stranger could choose. */
function titleOf({ what, trouble }: Notification): string {
  if (!trouble) return '[Weir] Test';
  return `[Weir] ${what === 'resolved' ? 'Resolved' : 'Trouble'}: ${trouble.kind.replaceAll('_', ' ')}`;
}

/** The body for a webhook, the same on each attempt. */
function bodyOf(notification: Notification): JsonObject {
  const { what, workspaceId, createdAt, trouble } = notification;
  const message = { timestamp: createdAt.toISOString(), workspaceId, text: textOf(notification) };
  if (!trouble) return { type: 'test', ...message };
  const { id, kind, resourceId, name, count, percent, openedAt, resolvedAt } = trouble;
  return {
    type: `trouble.${what}`,
    ...message,
    trouble: {
      ...{ id, kind, resource: { type: resourceTypeOf(kind), id: resourceId, ...(name !== null && { name }) } },
      ...(count !== null && { count }),
      ...(percent !== null && { percent }),
      openedAt: openedAt.toISOString(),
      ...(what === 'resolved' && resolvedAt && { resolvedAt: resolvedAt.toISOString() }),
    },
  };
}

/** Slack reads `&`, `<` and `>` as the beginning of links and mentions. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
