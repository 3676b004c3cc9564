import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { firstValueFrom } from 'rxjs';
import { RpcErrorFilter } from './rpc-error.filter.js';

Logger.overrideLogger(false);
const sent = (error: unknown) => firstValueFrom(new RpcErrorFilter().catch(error)).catch((body: unknown) => body);

const ofDriver = (code: string) =>
  Object.assign(new Error('query failed'), { driverError: Object.assign(new Error('the database'), { code }) });

describe('RpcErrorFilter', () => {
  it('sends refusals as they are', async () => {
    expect(await sent(new AppError('invalid', 'name is empty', { name: 'empty' }))).toEqual({
      code: 'invalid',
      message: 'name is empty',
      details: { name: 'empty' },
    });
  });

  it.each([
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that was lost', new Error('Connection terminated unexpectedly')],
    ['a database that refuses connections', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a database that shuts down', ofDriver('57P01')],
    ['a database with too many clients', ofDriver('53300')],
  ])('tells the caller to try again after %s', async (_, error) => {
    expect(await sent(error)).toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['a broken query', ofDriver('42601')],
    ['a fault of the code', new TypeError('x is not a function')],
    ['what is no error', 'text'],
  ])('shows nothing of %s', async (_, error) => {
    expect(await sent(error)).toEqual({ code: 'internal', message: 'Internal error' });
  });
});
