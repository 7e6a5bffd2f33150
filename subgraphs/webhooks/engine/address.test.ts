import { describe, expect, test } from '@jest/globals';
import { isLoopback, isPrivateName, mayReach } from './address.js';

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
    ['link-local, ending like a public address', 'fe80::808:808'],
    ['unique local', 'fd12:3456::1'],
    ['unique local, ending like a public address', 'fd00::808:808'],
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

  test.each([
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
  ])(
    'of a forbidden network is out of reach from its first to its last, %s to %s, and its neighbours are not',
    (first, last, before, after) => {
      expect([first, last].map((address) => reaches(address))).toEqual([false, false]);
      const neighbours = [before, after].filter((address) => address !== null);
      expect(neighbours.map((address) => reaches(address))).toEqual(neighbours.map(() => true));
    },
  );

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2606:4700::7f00:1',
    '2606:4700:1:2:3:4:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('that is public is in reach by https, and never by http: %s', (address) => {
    expect(reaches(address)).toBe(true);
    expect(reaches(address, 'http:')).toBe(false);
    expect(reaches(address, 'http:', true)).toBe(false);
  });

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

  test('that is a name is private where it can lead nowhere else', () => {
    for (const host of [
      'metadata.google.internal',
      'METADATA.GOOG',
      'instance-data',
      'db.local',
      'x.home.arpa.',
      'metadata',
    ]) {
      expect([host, isPrivateName(host)]).toEqual([host, true]);
    }
    for (const host of ['hooks.example.com', 'internal.example.com', 'notmetadata.goog', 'local.example']) {
      expect([host, isPrivateName(host)]).toEqual([host, false]);
    }
  });
});
