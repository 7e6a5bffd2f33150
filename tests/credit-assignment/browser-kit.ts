import { setTimeout as delay } from 'node:timers/promises';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { newAuthenticator } from '../accounts/authenticator.js';
import { openBrowserPlatform, site, stateOf } from '../accounts/browser.js';
import { password } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { newPair, pemOf, type Signer } from './signing-kit.js';

/** A platform with a client, and a browser of the account that it is linked with, in which a second factor was just proved. */
export async function openClientBrowser() {
  const opened = await openBrowserPlatform();
  const { context } = opened.platform.infrastructure;
  const newClient = async (accountId: string | null): Promise<Signer> => {
    const { privateKey, publicKey } = newPair();
    const wish = { name: 'Crediário', publicKey: pemOf(publicKey), rateLimit: null, accountId };
    return { clientId: (await addOriginator(context, wish)).id, key: privateKey };
  };
  const { browser, email } = await opened.newVisitor();
  const { status } = await browser.post('/web/session', { email, password });
  if (status !== 204) throw new Error(`The login was answered with ${status}`);
  const client = await newClient(String((await stateOf(browser))['ownerId']));
  await delay(1_000);
  const { body } = await browser.graphql('mutation { beginPasskey }');
  const { beginPasskey } = (body as { data: { beginPasskey: string } }).data;
  const credential = JSON.stringify(newAuthenticator(site).create(JSON.parse(beginPasskey) as { challenge: string }));
  const added = await browser.errorOf(
    'mutation ($c: String!) { addPasskey(name: "Notebook", credential: $c) { recoveryCodes } }',
    { c: credential },
  );
  if (added !== undefined) throw new Error(`The passkey was refused: ${added}`);
  return {
    ...opened,
    browser,
    email,
    client,
    newClient,
    /** Permits the account of the client to send, or takes the permission back. */
    allow: async (permitted: boolean) => {
      const text =
        'mutation ($id: ID!, $p: Boolean!) { permitAccountToSend(originatorId: $id, permitted: $p) { accountMaySend } }';
      const { headers } = await newOperator(context);
      return (await opened.caller.graphql(text, { id: client.clientId, p: permitted }, headers)).body;
    },
  };
}
