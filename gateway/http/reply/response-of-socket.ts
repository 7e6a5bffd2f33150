import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Returns the response that a connection is waiting for or being sent, if any. Node keeps it in a property that it does not document. */
export function responseOfSocket(socket: Duplex): ServerResponse | undefined {
  return '_httpMessage' in socket && socket._httpMessage instanceof ServerResponse ? socket._httpMessage : undefined;
}
