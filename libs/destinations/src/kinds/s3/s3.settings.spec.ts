import { describe, expect, it } from '@jest/globals';
import { s3Settings } from './s3.client.js';

const config = { bucketName: 'events', accessKeyID: 'id', accessKey: 'hush' };

describe('the settings of an object store', () => {
  it('are those of Amazon S3 by default', () => {
    expect(s3Settings(config)).toEqual({
      bucket: 'events',
      prefix: '',
      credentials: { accessKeyId: 'id', secretAccessKey: 'hush' },
      region: 'us-east-1',
      endpoint: undefined,
      pathStyle: false,
      encrypt: false,
    });
  });

  it.each([
    ['minio.example.com:9000', undefined, 'https://minio.example.com:9000'],
    ['minio.example.com:9000', false, 'http://minio.example.com:9000'],
    ['https://minio.example.com/', false, 'https://minio.example.com'],
  ])('know the store at %s, useSSL %s', (endPoint, useSSL, endpoint) => {
    expect(s3Settings({ ...config, endPoint, ...(useSSL !== undefined && { useSSL }) }).endpoint).toBe(endpoint);
  });

  it.each([
    ['shop', 'shop/'],
    ['shop/', 'shop/'],
    ['a/b', 'a/b/'],
  ])('take the prefix %s for the folder %s', (prefix, folder) => {
    expect(s3Settings({ ...config, prefix }).prefix).toBe(folder);
  });

  it.each([
    [{ bucketName: '' }, 'bucketName is required'],
    [{ accessKey: '', roleBasedAuth: true }, 'accessKeyID and accessKey are required. Roles are not supported'],
    [{ endPoint: 'user:pass@h' }, 'endPoint must be host:port'],
  ])('are refused with %j', (wrong, message) => {
    expect(() => s3Settings({ ...config, ...wrong })).toThrow(message);
  });
});
