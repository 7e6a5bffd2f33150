import { accessSync, constants, readFileSync } from 'node:fs';
import { z } from 'zod';
import { documentKind, formatDocument } from './tax-id.js';
import { isNetwork } from './network.js';
import { parseRedisAddress } from '../events/redis-address.js';

// Field types of the configuration; each error message continues a sentence that begins with the variable's name.

export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1')
  .optional();

export const wholeIfGiven = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .optional();

export const whole = (fallback: number, min: number, max: number) => wholeIfGiven(min, max).default(fallback);

export const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be an address that begins with ${protocols.map((name) => `${name}://`).join(' or ')}`,
  });

export const redisUrl = z
  .string()
  .refine(
    (text) => parseRedisAddress(text) !== undefined,
    'must be an address such as redis://host:6379, redis+sentinel://host,host,host/name or redis+cluster://host,host (rediss for TLS)',
  );

export const explorerUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text) && text.includes('{address}'),
    'must be an address with {address} in it, such as https://polygonscan.com/address/{address}',
  );

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

const postgresAddress = url('postgres', 'postgresql');

/** A server of PostgreSQL. The files that its address names can be read. */
export const postgresUrl = postgresAddress.superRefine(requireFiles);

export const postgresUrls = list
  .refine(
    (items) => items.every((item) => postgresAddress.safeParse(item).success),
    'must be addresses that begin with postgres:// or postgresql://, separated by commas',
  )
  .superRefine((items, context) => {
    for (const item of items) requireFiles(item, context);
  });

/** Reports files that the driver would not find: its error says neither the variable nor the parameter that names them. */
function requireFiles(address: string, context: z.RefinementCtx): void {
  if (!URL.canParse(address)) return;
  for (const [name, path] of new URL(address).searchParams) {
    if (!/^ssl(rootcert|cert|key)$/.test(name) || path === '' || isReadable(path)) continue;
    context.addIssue({
      code: 'custom',
      message: `has ${name}=${path}, which is not the path of a file that can be read`,
    });
  }
}

/** IP addresses and networks, such as `10.0.0.0/8` or `::1`. */
export const networks = list.refine(
  (items) => items.every(isNetwork),
  'must be IP addresses or networks, such as 127.0.0.1,10.0.0.0/8',
);

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with values encoded like parts of an address. The error does not repeat them: they are secret. */
export const headerList = list.transform((items, context) => {
  const headers: Record<string, string> = {};
  for (const item of items) {
    const [, name = '', value = ''] = /^([A-Za-z0-9-]+)\s*=\s*([\x21-\x7e]+)$/.exec(item) ?? [];
    try {
      if (name === '') throw new URIError('This is no header');
      headers[name.toLowerCase()] = decodeURIComponent(value);
    } catch {
      const message = 'must be a list of headers such as authorization=Bearer%20token,x-tenant=house';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  }
  return headers;
});

export const share = (fallback: number) =>
  z
    .string()
    .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/, 'must be a number from 0 to 1, such as 0.1')
    .transform(Number)
    .default(fallback);

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Delays in milliseconds, given as `30s,5m,2h` or as the name of a predefined list. */
export const delays = (fallback: string, named: Readonly<Record<string, string>>) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) =>
      (named[text] ?? text).split(',').map((item) => {
        const [, count, unit = ''] = /^ *([1-9]\d{0,5})(ms|s|m|h) *$/.exec(item) ?? [];
        const ms = Number(count) * (unitsMs[unit] ?? 0);
        if (count === undefined) {
          const names = Object.keys(named).join(' or ');
          context.addIssue({
            code: 'custom',
            message: `must be a list of waiting times such as ${fallback}, or ${names}`,
          });
        }
        return ms;
      }),
    );

export const origins = list.refine(
  (items) => items.every((item) => URL.canParse(item) && new URL(item).origin === item),
  'must be origins, such as https://app.example.com',
);

export const readableFile = z.string().refine(isReadable, 'must be the path of a file that can be read');

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export const svgFile = readableFile.refine(
  (path) => isReadable(path) && /<svg[\s>]/.test(readFileSync(path, 'utf8')),
  'must be the path of an SVG file',
);

/** A colour on which white text can be read (WCAG 2.2, 1.4.3). */
export const cnpj = z
  .string()
  .refine((text) => documentKind(text) === 'CNPJ', 'must be a CNPJ')
  .transform(formatDocument);

export const darkColour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #1f5eff')
  .refine((colour) => 1.05 / (luminanceOf(colour) + 0.05) >= 4.5, 'is too light for white text on it (contrast 4.5)');

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const publicKey = z
  .looseObject({ kty: z.enum(['OKP', 'EC', 'RSA']) })
  .refine((key) => !('d' in key), 'has a private key: give the public ones alone');
const keySet = z.object({ keys: z.array(publicKey).min(1) });

/** The keys in a file with a JSON Web Key Set (RFC 7517 §5): public ones. */
export const keySetFile = readableFile.transform((path, context) => {
  const parsed = keySet.safeParse(jsonIn(path));
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.map(({ message }) => message).find((message) => message.startsWith('has a private'));
  context.addIssue({ code: 'custom', message: said ?? 'must be the path of a JSON Web Key Set with a public key' });
  return z.NEVER;
});

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export const subgraphUrls = list.transform((items, context) => {
  const urls: Record<string, string> = {};
  for (const item of items) {
    const [name, address] = item.split(/=(.*)/s);
    if (name === undefined || address === undefined || !/^https?:\/\/[^/]/.test(address) || !URL.canParse(address)) {
      context.addIssue({ code: 'custom', message: `"${item}" is not of the form name=http://host:port/graphql` });
    } else urls[name] = address;
  }
  return urls;
});

/** A single rule, so that a wrong key is reported as one error. */
export const masterKey = z
  .string()
  .refine(
    (text) => z.base64().safeParse(text).success && Buffer.from(text, 'base64').length === 32,
    'must be 32 bytes in Base64: `openssl rand -base64 32` generates a key',
  );

/** A sender in the form that mail programs use. */
export const mailbox = z
  .string()
  .regex(
    /^([^<>@\s]+@[^<>@\s]+|[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>)$/,
    'must be an e-mail address, such as no-reply@example.com or Lastro <no-reply@example.com>',
  );

export const oneOf = <T extends string>(...names: T[]) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });
