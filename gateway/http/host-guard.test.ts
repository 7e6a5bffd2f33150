import { describe, expect, test } from '@jest/globals';
import { createHostGuard } from './host-guard.js';

const config = {
  publicUrl: 'https://Api.Example.com:8443',
  allowedHosts: ['internal.example', 'Other.example:9000'],
  allowedOrigins: ['https://App.example.com'],
  production: true,
};

const guard = (options: Partial<typeof config> = {}) => createHostGuard({ ...config, ...options });
const host = 'api.example.com';

describe('Host', () => {
  test.each([
    ['api.example.com', 'the public name'],
    ['API.example.COM', 'in whichever case it is written'],
    ['api.example.com:1234', 'on any port'],
    ['internal.example', 'a name that is allowed'],
    ['internal.example:80', 'on any port, when it is allowed without one'],
    ['other.example:9000', 'a name that is allowed with a port, on that port'],
  ])('%s is let in: %s', (name) => {
    expect(() => {
      guard()({ host: name });
    }).not.toThrow();
  });

  test.each<[string | undefined, string]>([
    [undefined, 'missing'],
    ['', 'empty'],
    ['evil.example', 'another name'],
    ['other.example', 'a name that is allowed on one port, without it'],
    ['other.example:9001', 'a name that is allowed on another port'],
    ['api.example.com.evil.example', 'a longer name'],
    ['evil.example/api.example.com', 'something that is no name'],
    ['api.example.com:', 'without the number of its port'],
    ['api.example.com:123456', 'with a port that there is not'],
    ['api.example.com:80@evil.example', 'with something behind its port'],
    ['user@api.example.com', 'with something before it'],
    ['localhost', 'the machine itself, in production'],
  ])('%s is refused: %s', (name) => {
    expect(() => {
      guard()({ host: name });
    }).toThrow(expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining('Host') }));
  });

  test.each(['localhost', 'localhost:4000', 'LOCALHOST', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:4000'])(
    'outside of production %s is let in',
    (name) => {
      expect(() => {
        guard({ production: false })({ host: name });
      }).not.toThrow();
    },
  );
});

describe('Origin', () => {
  test.each(['https://api.example.com:8443', 'https://app.example.com', 'HTTPS://APP.EXAMPLE.COM'])(
    '%s is let in',
    (origin) => {
      expect(() => {
        guard()({ host, origin });
      }).not.toThrow();
    },
  );

  test.each([
    'https://evil.example',
    'http://app.example.com',
    'https://api.example.com',
    'https://app.example.com:444',
    'http://localhost:3000',
    'null',
    '',
  ])('%j is refused', (origin) => {
    expect(() => {
      guard()({ host, origin });
    }).toThrow(expect.objectContaining({ code: 'FORBIDDEN', message: expect.stringContaining('Origin') }));
  });

  test('outside of production a page of the machine itself is let in, one of another site is not', () => {
    const local = guard({ production: false });
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:5173'])
      expect(() => {
        local({ host, origin });
      }).not.toThrow();
    for (const origin of ['http://localhost.evil.example', 'localhost', 'null'])
      expect(() => {
        local({ host, origin });
      }).toThrow();
  });
});
