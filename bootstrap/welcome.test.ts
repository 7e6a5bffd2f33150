import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../shared/kernel/config.js';
import { welcome } from './welcome.js';

const production = {
  NODE_ENV: 'production',
  DEMO: 'true',
  MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  SMTP_URL: 'smtp://localhost',
};

function addressesIn(environment: Record<string, string>, tlsPort?: number): unknown[] {
  const text = welcome(loadConfig(environment), { url: 'http://localhost:4000', tlsPort });
  return [/(\S+)\/v1\/emissoes\/operacoes$/m.exec(text)?.[1], /(\S+)\/readyz/.exec(text)?.[1]];
}

describe('the welcome', () => {
  const here = 'http://localhost:4000';

  test('says to try the address where the program listens', () => {
    expect(addressesIn({})).toEqual([here, here]);
    const open = { ...production, PUBLIC_URL: 'https://api.example.com', REQUIRE_HTTPS: 'false' };
    expect(addressesIn(open)).toEqual([here, here]);
  });

  test('says to try an address by HTTPS where plain HTTP would only be sent there; monitors ask here', () => {
    expect(addressesIn({ ...production, PUBLIC_URL: 'https://api.example.com' })).toEqual([
      'https://api.example.com',
      here,
    ]);
    // Any two readable files: they are not parsed here.
    const tls = { TLS_CERT_FILE: 'package.json', TLS_KEY_FILE: 'package.json', TLS_PORT: '0' };
    expect(addressesIn({ ...tls, PUBLIC_URL: here }, 4443)).toEqual(['https://localhost:4443', here]);
  });
});
