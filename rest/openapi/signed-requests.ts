/** A request with its signature, to check an implementation without a server: RSA of 2048 bits, `examples/signed-client/test-key.pem`. */
export const testVector = {
  method: 'POST',
  target: '/tidc/v1/credit-batches?lote=S%C3%A3o',
  timestamp: '1795186800',
  body: '{"nome":"Cessão de São João","observação":"ação nº 1"}',
  signature:
    'siWt7zWTG8qYvDsVBapAIkmIR97YZOxC7ZcnXtJrx4Y7pCzoF1e6zogOYQI0bxbwvgaJ5LUhceu71AVsmWRP6sCUaX6ZKxHNWMJTk4G5FPnp1gEuCaEMJIhWMcZQ+S16jp2Hmc7Wi1VuvMh8kNNnBVGjPeP7BCCFKlkvtj2kPrg5+pPlXRn3mrszzxw0qjjNhKV6NQKKzgGDj7UzSMiYveTzsv+J8ylQG7d5kcGxpaR6yZlLpJjhiJ+mL1R4q52KOicDBcIghh/q9lROfRiegI5qQvGkvvvCr+P92nZIXr3VFEpupp1WwCieHhTb5DRW0Vurzcer4HlpIVZ+ON1zxg==',
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtAN1eA/sDC88EeYjH1Mz
8X8W/gNV1x/v2+r7CosaRvk97XowUYuGHsZFqAHU5bIGKdqKgnZGPlKxPtQmhqUz
YkZ/dLhysMbgwx5hMVezHoUYkbMs1p1mUVKErKwGzEp8IROEVGW0Z4mgwjI2jXEy
I9uRZ6tOPcjNqh6lcKaqco4f4u8zZZOY3tplXiY5YdLOX0NqZhG1qQMgtVYXZYzN
luaqMhNpLVPolnjRKP4ANclZClFU9VrYYlpu8yHh4nz4bYX4rPWMN77EAZiZCBgG
d/Nyxd/JsRj+TS1o3ITQRwaC3XQpux57Qk+2SQ0NoJ2+/wH/tkiJ1tRlCkLaeBbQ
hwIDAQAB
-----END PUBLIC KEY-----`,
} as const;

const { method, target, timestamp, body, signature, publicKey } = testVector;

const howToSign = `
RSA-SHA256 (RSASSA-PKCS1-v1_5) with the private key of the client, in Base64 with padding and without line breaks, over exactly these bytes:

1. the HTTP method in upper case, and a line feed
2. the path with its query, exactly as in the request line, and a line feed
3. the text of \`X-Timestamp\`, and a line feed
4. the body, exactly the bytes that are sent, UTF-8 and without a line feed after it; nothing for GET or an empty body

For example this request, signed by the private half of the key below (\`examples/signed-client\` in the source has both halves, and
clients in JavaScript and shell):

\`\`\`
${method}
${target}
${timestamp}
${body}
\`\`\`

\`X-Signature: ${signature}\`

\`\`\`
${publicKey}
\`\`\`

Client and timestamp are checked before the body is read. A wrong signature: 401 code 1001, whose message has the SHA-256 (hexadecimal) of the
bytes above as the server received them: if yours differs, you sign other bytes than you send; if it is the same, you sign with another key. A timestamp
that differs from the server's time by more than 5 minutes: 401 code 1002. A client that is unknown, suspended or without a registered key, or two headers that name
different clients: 401 code 1003. A signed POST, PUT, PATCH or DELETE that is repeated with the same signature gets the stored response with \`X-Idempotent-Replayed: true\`, whatever
\`X-Idempotency-Key\` it has, and is not executed again: to do something twice, sign it in another second. A request that is signed
again because its response was lost needs the same \`X-Idempotency-Key\`, which DELETE ignores. Keys are RSA keys of 2048 to 8192 bits; a client may have ten, to
replace one by another without interruption.
`.trim();

/** The three headers of a signed request; all of them are required together. */
export const signatureSchemes = {
  clientId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Client-Id',
    description: 'The id of the client, a UUID. `X-API-Key` is accepted instead; if both are sent they must be equal.',
  },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Timestamp',
    description: 'The time of signing in whole Unix seconds, at most 5 minutes from the time of the server.',
  },
  signature: { type: 'apiKey', in: 'header', name: 'X-Signature', description: howToSign },
};

export const signatureSecurity = { clientId: [], timestamp: [], signature: [] };
