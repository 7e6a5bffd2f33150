import { refuse } from '../../../shared/errors.js';

const form = /^0x[0-9a-fA-F]{40}$/;

/**
 * An address of a contract in the form with a checksum (EIP-55). One in lower case has none, and is taken as it is.
 * @param argument what the caller calls it
 * @throws {ApiError} BAD_REQUEST when it is no address, UNPROCESSABLE when its checksum is wrong: a digit may be
 */
export async function parseAddress(text: string, argument: string): Promise<string> {
  requireAddress(text, argument);
  const { getAddress, isAddress } = await import('viem/utils');
  if (!isAddress(text, { strict: true })) {
    refuse('UNPROCESSABLE', [{ path: argument, message: 'has a wrong checksum (EIP-55)' }]);
  }
  return getAddress(text);
}

/** @throws {ApiError} BAD_REQUEST when a text is no address */
export function requireAddress(text: string, argument: string): void {
  if (form.test(text)) return;
  refuse('BAD_REQUEST', [{ path: argument, message: 'must be an address: 0x and 40 hexadecimal digits' }]);
}
