import { describe, expect, test } from '@jest/globals';
import { isLoopback, mayReach } from './address.js';

const reaches = (address: string, protocol = 'https:', allowInsecure = false) =>
  mayReach(address, protocol, { allowInsecure });

describe('an address', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback, other', '127.255.255.254'],
    ['this network', '0.0.0.0'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local, metadata', '169.254.169.254'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fd12:3456::1'],
    ['metadata', 'fd00:ec2::254'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['6to4 of a private address', '2002:a00:1::'],
    ['IPv4-mapped, dotted', '::ffff:127.0.0.1'],
    ['IPv4-mapped, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped, in full', '0:0:0:0:0:ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::10.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('that is not public is out of reach: %s %s', (_kind, address) => {
    expect(reaches(address)).toBe(false);
  });

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'that is public is in reach by https, and never by http: %s',
    (address) => {
      expect(reaches(address)).toBe(true);
      expect(reaches(address, 'http:')).toBe(false);
      expect(reaches(address, 'http:', true)).toBe(false);
    },
  );

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('of this machine is in reach for development only: %s', (own) => {
    expect(reaches(own, 'http:', true)).toBe(true);
    expect(reaches(own, 'https:', true)).toBe(true);
    expect(reaches(own, 'https:', false)).toBe(false);
  });

  test('that is private stays out of reach in development too', () => {
    for (const own of ['10.0.0.1', '169.254.169.254', 'fd00::1']) expect(reaches(own, 'https:', true)).toBe(false);
  });

  test('of this machine is known by its names', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.1.2.3', '[::1]']) {
      expect([host, isLoopback(host)]).toEqual([host, true]);
    }
    for (const host of ['localhost.example', '128.0.0.1', '[::2]', '10.0.0.1']) expect(isLoopback(host)).toBe(false);
  });
});
