import { describe, expect, it } from '@jest/globals';
import { AppError, nameTaken } from '@weir/contracts';
import { toProblem } from './errors.js';
import { errorAnswer, methodNotAllowed } from './status.js';

const answer = (error: unknown, area: Parameters<typeof errorAnswer>[1]) => {
  const { body, ...rest } = errorAnswer(toProblem(error), area);
  return { ...rest, body: rest.headers['content-type']?.startsWith('application/json') ? JSON.parse(body) : body };
};

describe('errorAnswer', () => {
  it('has message, error, code and the details of a bad field on the control plane', () => {
    const error = new AppError('invalid', 'name is required', { name: 'is required' });
    expect(answer(error, 'inventory')).toMatchObject({
      status: 400,
      body: {
        message: 'name is required',
        error: 'name is required',
        code: 'BAD_REQUEST',
        details: { name: 'is required' },
      },
    });
  });

  it('tells who has a name that is taken, and nothing else of a conflict', () => {
    const taken = answer(nameTaken('source', 'id-1'), 'inventory');
    expect(taken).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { existingId: 'id-1' } } });
  });

  it('keeps details that are not for the caller', () => {
    const error = new AppError('conflict', 'It exists', { sql: 'secret' });
    expect(answer(error, 'inventory').body).toEqual({ message: 'It exists', error: 'It exists', code: 'CONFLICT' });
  });

  it('puts the results of a refused publish beside the message', () => {
    const error = new AppError('tests_failed', 'A test failed', { published: false, validationOutput: {} });
    expect(answer(error, 'transformations')).toMatchObject({
      status: 400,
      body: { message: 'A test failed', published: false, validationOutput: {} },
    });
  });

  it('begins with the sentence that matters, however long the rest is', () => {
    const validationOutput = { libraries: [], transformations: [{ name: 'x'.repeat(10_000) }] };
    for (const error of [
      new AppError('tests_failed', 'A test failed', { published: false, validationOutput }),
      new AppError('invalid', 'A test failed', { ['x'.repeat(10_000)]: 'is unknown' }),
    ]) {
      expect(errorAnswer(error, 'transformations').body).toMatch(/^\{"message":"A test failed",/);
    }
  });

  it.each([
    ['transformations', 401, 'Basic realm="weir", Bearer realm="weir"'],
    ['admin', 401, 'Basic realm="weir"'],
    ['schemas', 400, undefined],
    ['intake', 401, 'Basic realm="weir"'],
  ] as const)('refuses credentials in %s with %d', (area, status, challenge) => {
    const { headers, ...rest } = answer(new AppError('unauthenticated', 'no'), area);
    expect(rest.status).toBe(status);
    expect(headers['www-authenticate']).toBe(challenge);
  });

  it('says {msg} in area D and plain text in the intake', () => {
    const error = new AppError('unauthenticated', 'Invalid admin credentials');
    expect(answer(error, 'schemas').body).toEqual({ msg: 'Invalid admin credentials' });
    expect(answer(error, 'intake').body).toBe('Invalid admin credentials\n');
  });

  it('answers a disabled source with 404 in the intake only', () => {
    const error = new AppError('disabled', 'source is disabled');
    expect(answer(error, 'intake').status).toBe(404);
    expect(answer(error, 'test').status).toBe(400);
  });

  it('tells when to come back', () => {
    expect(answer(new AppError('unavailable', 'away'), 'inventory').headers['retry-after']).toBe('1');
  });

  it('lists the methods of a path', () => {
    const { status, headers } = answer(methodNotAllowed(['GET', 'HEAD']), 'inventory');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });
});

describe('toProblem', () => {
  it.each([
    ['an unexpected error', new TypeError('x is not a function')],
    ['an internal error of a service', new AppError('internal', 'relation "secret" does not exist')],
    ['something that is no error', 'text'],
  ])('shows nothing of %s', (_, thrown) => {
    const { status, body } = answer(thrown, 'inventory');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toMatch(/function|relation|text"/);
  });

  it.each(['08006', '57P01', '53300', 'ECONNREFUSED'])('takes code %s of the database for a passing fault', (code) => {
    const driverError = Object.assign(new Error('the database'), { code });
    expect(toProblem(Object.assign(new Error('query failed'), { driverError }))).toMatchObject({ code: 'unavailable' });
  });

  it('does not take a broken query for a passing fault', () => {
    const driverError = Object.assign(new Error('syntax error'), { code: '42601' });
    expect(toProblem(Object.assign(new Error('query failed'), { driverError }))).toMatchObject({ code: 'internal' });
  });
});
