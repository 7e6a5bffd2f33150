import { expect, test } from '@jest/globals';
import { secureAddress } from './transport.js';

test.each([
  ['http://localhost:4000', undefined, 'casa.example', '/v1?a=1', 'https://casa.example/v1?a=1'],
  ['http://localhost:4000', undefined, 'casa.example:8080', '/', 'https://casa.example/'],
  ['http://localhost:4000', 443, 'casa.example:80', '/', 'https://casa.example/'],
  ['http://localhost:4000', 4443, 'casa.example:4000', '/', 'https://casa.example:4443/'],
  ['http://localhost:4000', 4443, '[::1]:4000', '/', 'https://[::1]:4443/'],
  ['http://localhost:4000', 443, 'casa.example', 'http://elsewhere.example/', 'https://casa.example/'],
  ['https://api.casa.example/base', 4443, 'casa.example:4000', '/v1', 'https://api.casa.example/v1'],
])('below %s, with TLS on port %s, who asks %s for %s is sent to %s', (publicUrl, tlsPort, host, target, expected) => {
  expect(secureAddress(publicUrl, tlsPort, host, target)).toBe(expected);
});
