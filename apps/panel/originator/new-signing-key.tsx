import { useState } from 'react';
import { Button, Check, Dialog, SelectInput, TextInput } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { Form, textOf } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { frameTexts } from '../frame/texts.js';
import { originatorTexts } from '../texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';

/** Registers a signing key of an originator: one of a pair that this browser makes, or a public key that was made elsewhere. */
export function NewSigningKey(props: {
  readonly originatorId: string;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}) {
  const { originatorId, onClose, onAdded } = props;
  const { keys: text, words } = originatorTexts.get();
  const action = useAction();
  const [way, setWay] = useState<Way>(canMakeKeyPair ? 'make' : 'paste');
  const [pair, setPair] = useState<KeyPair>();
  const add = async (publicKey: string) => {
    const { addMyOriginatorKeyResult } = await graph.mutate('addMyOriginatorKey', { originatorId, publicKey });
    accepted(addMyOriginatorKeyResult);
  };
  const make = async () => {
    const made = await makeKeyPair();
    setPair(made);
    save(made);
  };
  return (
    <Dialog title={text.add} isOpen isFirm={pair !== undefined} onClose={onClose}>
      <p>{text.addText}</p>
      <Form
        action={action}
        fields={['publicKey']}
        label={text.add}
        onSubmit={(values) => {
          const publicKey = pair?.publicKey ?? textOf(values, 'publicKey').trim();
          void action
            .run(() => add(publicKey))
            .then((worked) => {
              if (worked) onAdded();
            });
        }}
      >
        {pair === undefined ? (
          <SelectInput
            name="way"
            label={words.key}
            value={way}
            onChange={(value) => {
              setWay(value);
              action.clear();
            }}
            options={ways.map((value) => ({ value, text: text.ways[value] }))}
          />
        ) : (
          <MadePair pair={pair} />
        )}
        {way === 'paste' ? (
          <TextInput
            name="publicKey"
            label={text.publicKey}
            hint={text.publicKeyHint}
            rows={8}
            maxLength={16_000}
            autoComplete="off"
            isRequired
          />
        ) : null}
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          {way === 'make' && pair === undefined ? (
            <Button kind="main" isBusy={action.isBusy} onPress={() => void action.run(make)}>
              {text.make}
            </Button>
          ) : (
            <Button kind="main" type="submit" isBusy={action.isBusy}>
              {text.register}
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

function MadePair({ pair }: { readonly pair: KeyPair }) {
  const { keys: text } = originatorTexts.get();
  return (
    <>
      <p className="notice">{text.madeText}</p>
      <p className="small">
        {text.fingerprint}: <code>{pair.fingerprint}</code>
      </p>
      <div className="row">
        <Button onPress={() => save(pair)}>{text.saveAgain}</Button>
      </div>
      <Check name="stored" value="yes" isRequired>
        {text.stored}
      </Check>
    </>
  );
}

function save({ fingerprint, privateKey }: KeyPair): void {
  const { keys: text } = originatorTexts.get();
  saveFile(`${text.fileName}-${fingerprint.slice(0, 8)}.pem`, privateKey, 'pem');
}

/** A pair that the browser has made. Only the public key is sent; the private one is saved as a file, and forgotten with the page. */
interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
  /** SHA-256 of the public key in DER, in hexadecimal, as the server shows it. */
  readonly fingerprint: string;
}

/** Whether the browser can make a pair: only pages over HTTPS, or of the machine itself, have WebCrypto. */
const canMakeKeyPair = 'subtle' in crypto;

type Way = 'make' | 'paste';
const ways: readonly Way[] = canMakeKeyPair ? ['make', 'paste'] : ['paste'];

/** Makes a pair of RSA with 3072 bits, as PEM: SPKI and PKCS #8. */
async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 3072,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  );
  const spki = await crypto.subtle.exportKey('spki', publicKey);
  const digest = await crypto.subtle.digest('SHA-256', spki);
  return {
    publicKey: pemOf('PUBLIC KEY', spki),
    privateKey: pemOf('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey)),
    fingerprint: [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

function pemOf(label: string, der: ArrayBuffer): string {
  const text = btoa(new Uint8Array(der).reduce((all, byte) => all + String.fromCharCode(byte), ''));
  return [`-----BEGIN ${label}-----`, ...(text.match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n');
}
