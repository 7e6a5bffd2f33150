import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { useParameter } from '../frame/address.js';
import { ActDialog, Ask, DialogButton } from '../frame/ask.js';
import { date, plural } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead, textOf } from '../frame/parts.js';
import { readSession, useSession } from '../frame/session.js';
import { QrCode } from '../frame/qr-code.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { Passkeys } from './passkeys.js';
import { accountTexts } from './texts.js';

type Factors = Operations['factors']['data']['secondFactors'];

/** The second factors of the owner of the session. */
export function Security() {
  const { security: text } = accountTexts.get();
  const query = useQuery(graph, 'factors', {});
  const [codes, setCodes] = useState<readonly string[]>([]);
  const isDue = useSession()?.due === 'ENROLMENT';
  const next = useParameter('next');
  const router = useRouter();
  const changed = (fresh: readonly string[] = []) => {
    setCodes(fresh);
    query.reload();
    // What the session accepts has changed, too; where there is no response, the banner says so.
    readSession().catch(() => undefined);
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {isDue ? <p className="notice">{text.required}</p> : null}
      <Loaded query={query}>
        {({ secondFactors }) => (
          <>
            <Passkeys passkeys={secondFactors.passkeys} onChanged={changed} />
            <Totp factors={secondFactors} onChanged={changed} />
            {secondFactors.passkeys.length === 0 && secondFactors.totpSince === null ? null : (
              <Codes left={secondFactors.recoveryCodesLeft} onChanged={changed} />
            )}
          </>
        )}
      </Loaded>
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes([]);
          // Back to the page that had to wait for the first factor.
          if (typeof next === 'string') void router.navigate({ href: next });
        }}
      />
    </>
  );
}

interface PartProps {
  readonly onChanged: (codes?: readonly string[]) => void;
}

function Totp({ factors, onChanged }: PartProps & { readonly factors: Factors }) {
  const { security: text } = accountTexts.get();
  const [made, setMade] = useState<NewSecret>();
  const action = useAction();
  const { totpSince } = factors;
  const begin = async () => {
    const { beginTotp } = await graph.mutate('beginTotp', {});
    setMade(beginTotp ?? undefined);
  };
  return (
    <Section
      id="totp"
      title={text.totp}
      links={
        totpSince === null ? (
          <Button onPress={() => void action.run(begin)}>{text.addTotp}</Button>
        ) : (
          <DialogButton label={`${text.remove}: ${text.totp}`} act={text.remove} onDone={onChanged}>
            {(ending) => (
              <Ask title={text.removeTotp} act={text.remove} run={() => graph.mutate('removeTotp', {})} {...ending}>
                <p>{text.removeText}</p>
              </Ask>
            )}
          </DialogButton>
        )
      }
    >
      <p>{totpSince === null ? text.totpNone : text.totpSince(date(totpSince))}</p>
      <FailureNotice failure={action.failure} />
      {made === undefined ? null : (
        <AddTotp
          made={made}
          onClose={() => setMade(undefined)}
          onAdded={(codes) => {
            setMade(undefined);
            onChanged(codes);
          }}
        />
      )}
    </Section>
  );
}

function Codes({ left, onChanged }: PartProps & { readonly left: number }) {
  const { security: text } = accountTexts.get();
  const replace = (onClose: () => void) => async () => {
    const { replaceRecoveryCodes } = await graph.mutate('replaceRecoveryCodes', {});
    onClose();
    onChanged(replaceRecoveryCodes?.recoveryCodes);
  };
  const button = (
    <DialogButton act={text.replaceCodes}>
      {({ onClose }) => (
        <Ask title={text.replaceCodes} act={text.replaceCodes} onClose={onClose} run={replace(onClose)}>
          <p>{text.replaceText}</p>
        </Ask>
      )}
    </DialogButton>
  );
  return (
    <Section id="codes" title={text.codes} links={button}>
      <p>{plural(left, text.codesLeft)}</p>
    </Section>
  );
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { security: text } = accountTexts.get();
  const { copy, copied, notCopied } = frameTexts.get();
  return (
    <Dialog title={text.codes} isOpen={codes.length > 0} isFirm onClose={onClose}>
      <p className="notice">{text.codesText}</p>
      <Secret label={text.codes} value={codes.join('\n')} copy={copy} copied={copied} failed={notCopied} />
      <div className="acts">
        <Button kind="main" onPress={onClose}>
          {text.codesStored}
        </Button>
      </div>
    </Dialog>
  );
}

/** A secret that counts once its first code has come. */
interface NewSecret {
  readonly secret: string;
  readonly address: string;
}

/** Adds an authenticator application: its secret as a QR code, and its first code. */
function AddTotp(props: {
  readonly made: NewSecret;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}) {
  const { made, onClose, onAdded } = props;
  const { security: text } = accountTexts.get();
  const { copy, copied, notCopied } = frameTexts.get();
  const run = async (values: FormData) => {
    const { confirmTotp } = await graph.mutate('confirmTotp', { code: textOf(values, 'code').replaceAll(' ', '') });
    onAdded(confirmTotp?.recoveryCodes ?? []);
  };
  return (
    <ActDialog title={text.addTotp} act={text.confirm} fields={['code']} onClose={onClose} run={run} onDone={onClose}>
      <p>{text.scan}</p>
      <QrCode text={made.address} label={text.qr} />
      <Secret label={text.secret} value={made.secret} copy={copy} copied={copied} failed={notCopied} />
      <TextInput
        name="code"
        label={text.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={8}
        isRequired
        autoFocus
      />
    </ActDialog>
  );
}
