/** An error that the SDK reports unchanged; its own McpError adds a prefix that the client's SDK adds again. */
export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
