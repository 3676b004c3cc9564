import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type ChannelSettings,
  channelAad,
  DeleteChannel,
  invalidField,
  ListChannels,
  notFound,
  PutChannel,
  type StoredChannel,
  webhookSecret,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { CONFIG, newKsuid, Sealer } from '@weir/service-kit';
import type { Config } from '../../config.js';
import type { Principal } from '../../http/principal.js';
import { may } from '../../http/roles.js';
import type { Channel, ChannelChange, NewChannel } from './channel.schemas.js';

const SECRET_BYTES = 32;
const newSecret = () => webhookSecret(randomBytes(SECRET_BYTES));

/** Seals and opens the addresses of channels. The delivery service stores them and its deliverers use them. */
@Injectable()
export class ChannelService {
  private readonly sealer: Sealer;

  constructor(
    private readonly rpc: RpcClient,
    @Inject(CONFIG) { encryptionKey }: Config,
  ) {
    this.sealer = new Sealer(encryptionKey);
  }

  async list(caller: Principal): Promise<Channel[]> {
    return (await this.stored(caller)).map((channel) => this.shown(caller, channel));
  }

  async get(caller: Principal, id: string): Promise<Channel> {
    return this.shown(caller, await this.find(caller, id));
  }

  async create(caller: Principal, body: NewChannel): Promise<Channel> {
    const { workspaceId, email: by } = caller;
    const id = newKsuid();
    const settings = settingsOf(body);
    const { name, type, enabled, kinds, failingPercent, quietHours } = body;
    const stored = await this.rpc.send(PutChannel, {
      ...{ workspaceId, id, type, name, enabled, kinds, failingPercent, quietHours, isNew: true, by },
      sealedSettings: this.sealer.seal(settings, channelAad(workspaceId, id)),
    });
    return { ...this.shown(caller, stored), ...(settings.secret && { secret: settings.secret }) };
  }

  /** Keeps the settings that the change does not name. */
  async update(caller: Principal, id: string, { url, secret, to, ...choices }: ChannelChange): Promise<Channel> {
    const { workspaceId, email: by } = caller;
    const { sealedSettings, health: _, ...channel } = await this.find(caller, id);
    const changes = given({ url, secret, to });
    refuseForeign(channel.type, changes);
    const isMoved = Object.keys(changes).length > 0;
    const settings = isMoved && { ...this.open(workspaceId, id, sealedSettings), ...changes };
    const stored = await this.rpc.send(PutChannel, {
      ...{ ...channel, ...given(choices), workspaceId, id, isNew: false, by },
      sealedSettings: settings ? this.sealer.seal(settings, channelAad(workspaceId, id)) : sealedSettings,
    });
    return this.shown(caller, stored);
  }

  async remove({ workspaceId, email: by }: Principal, id: string): Promise<void> {
    await this.rpc.send(DeleteChannel, { workspaceId, id, by });
  }

  private async stored({ workspaceId }: Principal): Promise<StoredChannel[]> {
    return (await this.rpc.send(ListChannels, { workspaceId })).channels;
  }

  private async find(caller: Principal, id: string): Promise<StoredChannel> {
    const channel = (await this.stored(caller)).find((one) => one.id === id);
    if (!channel) throw notFound('channel');
    return channel;
  }

  private shown({ workspaceId, role }: Principal, { sealedSettings, ...channel }: StoredChannel): Channel {
    const settings = this.tryToOpen(workspaceId, channel.id, sealedSettings);
    const isClear = channel.type !== 'slack' && may(role, 'deliveries', 'write');
    return { ...channel, addresses: isClear ? addressesOf(settings) : addressesOf(settings).map(masked) };
  }

  /** A list stays readable after the loss of a key. */
  private tryToOpen(workspaceId: string, id: string, sealed: string): ChannelSettings {
    try {
      return this.open(workspaceId, id, sealed);
    } catch {
      return {};
    }
  }

  private open(workspaceId: string, id: string, sealed: string): ChannelSettings {
    try {
      return this.sealer.open(sealed, channelAad(workspaceId, id)) as ChannelSettings;
    } catch (cause) {
      const message = 'this channel was stored under another encryption key: delete it and make a new one';
      throw new AppError('conflict', message, undefined, { cause });
    }
  }
}

function settingsOf(body: NewChannel): ChannelSettings {
  if (body.type === 'email') return { to: body.to };
  return body.type === 'slack' ? { url: body.url } : { url: body.url, secret: body.secret ?? newSecret() };
}

const FIELDS = { webhook: ['url', 'secret'], slack: ['url'], email: ['to'] } as const;

/** Throws for an address of another type of channel. */
function refuseForeign(type: StoredChannel['type'], changes: object): void {
  const own: readonly string[] = FIELDS[type];
  const foreign = Object.keys(changes).find((field) => !own.includes(field));
  if (foreign) throw invalidField(foreign, `does not belong to a channel of type ${type}`);
}

const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof T]?: Exclude<T[Field], undefined>;
  };

const addressesOf = ({ url, to = [] }: ChannelSettings): string[] => (url === undefined ? to : [url]);

/** Enough to know an address again: its host, or the first letter and the domain of a mail address. */
function masked(address: string): string {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol)) return `${url.origin}/***`;
  return `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;
}
