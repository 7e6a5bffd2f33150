import { refuse } from '../../../shared/kernel/errors.js';

const form = /^0x[0-9a-fA-F]{40}$/;

/** Checks EIP-55; a lower-case address has no checksum and is accepted as it is. @param argument the caller's name for it @throws {ApiError} BAD_REQUEST, UNPROCESSABLE for a wrong checksum */
export async function parseAddress(text: string, argument: string): Promise<string> {
  requireAddress(text, argument);
  const { getAddress, isAddress } = await import('viem/utils');
  if (!isAddress(text, { strict: true })) {
    refuse('UNPROCESSABLE', [{ path: argument, message: 'has a wrong checksum (EIP-55)' }]);
  }
  return getAddress(text);
}

/** @throws {ApiError} BAD_REQUEST for an invalid address */
export function requireAddress(text: string, argument: string): void {
  if (form.test(text)) return;
  refuse('BAD_REQUEST', [{ path: argument, message: 'must be an address: 0x and 40 hexadecimal digits' }]);
}
