import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { encode } from 'uqr';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog, Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { useParameter } from '../frame/address.js';
import { date, decimal, plural } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead, Form, textOf } from '../frame/parts.js';
import { readSession, useSession } from '../frame/session.js';
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
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<NewSecret>();
  const action = useAction();
  const { totpSince } = factors;
  const close = () => {
    action.clear();
    setOpen(false);
    setMade(undefined);
  };
  const open = () => {
    if (totpSince !== null) {
      setOpen(true);
      return;
    }
    void action.run(async () => {
      const { beginTotp } = await graph.mutate('beginTotp', {});
      setMade(beginTotp ?? undefined);
    });
  };
  return (
    <Section
      id="totp"
      title={text.totp}
      links={
        <Button onPress={open} {...(totpSince === null ? {} : { label: `${text.remove}: ${text.totp}` })}>
          {totpSince === null ? text.addTotp : text.remove}
        </Button>
      }
    >
      <p>{totpSince === null ? text.totpNone : text.totpSince(date(totpSince))}</p>
      {isOpen ? null : <FailureNotice failure={action.failure} />}
      {totpSince === null ? (
        <AddTotp
          made={made}
          onClose={close}
          onAdded={(codes) => {
            close();
            onChanged(codes);
          }}
        />
      ) : (
        <ConfirmDialog
          title={text.removeTotp}
          isOpen={isOpen}
          onClose={close}
          act={text.remove}
          cancel={frameTexts.get().cancel}
          isBusy={action.isBusy}
          problem={<FailureNotice failure={action.failure} />}
          onConfirm={() => {
            void action.run(async () => {
              await graph.mutate('removeTotp', {});
              close();
              onChanged();
            });
          }}
        >
          <p>{text.removeText}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Codes({ left, onChanged }: PartProps & { readonly left: number }) {
  const { security: text } = accountTexts.get();
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const close = () => {
    action.clear();
    setOpen(false);
  };
  const open = () => {
    setOpen(true);
  };
  return (
    <Section id="codes" title={text.codes} links={<Button onPress={open}>{text.replaceCodes}</Button>}>
      <p>{plural(left, { one: text.codesLeft.one, other: text.codesLeft.other(decimal(left)) })}</p>
      <ConfirmDialog
        title={text.replaceCodes}
        isOpen={isOpen}
        onClose={close}
        act={text.replaceCodes}
        cancel={frameTexts.get().cancel}
        isBusy={action.isBusy}
        problem={<FailureNotice failure={action.failure} />}
        onConfirm={() => {
          void action.run(async () => {
            const { replaceRecoveryCodes } = await graph.mutate('replaceRecoveryCodes', {});
            close();
            onChanged(replaceRecoveryCodes?.recoveryCodes);
          });
        }}
      >
        <p>{text.replaceText}</p>
      </ConfirmDialog>
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

export interface AddTotpProps {
  /** Undefined while none is being added. */
  readonly made: NewSecret | undefined;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}

/** Adds an authenticator application: its secret as a QR code, and its first code. */
function AddTotp({ made, onClose, onAdded }: AddTotpProps) {
  const { security: text } = accountTexts.get();
  return (
    <Dialog title={text.addTotp} isOpen={made !== undefined} onClose={onClose}>
      {made === undefined ? null : <Confirm made={made} onClose={onClose} onAdded={onAdded} />}
    </Dialog>
  );
}

function Confirm(props: {
  readonly made: NewSecret;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}) {
  const { made, onClose, onAdded } = props;
  const { security: text } = accountTexts.get();
  const { copy, copied, notCopied, cancel } = frameTexts.get();
  const action = useAction();
  return (
    <>
      <p>{text.scan}</p>
      <QrCode text={made.address} label={text.qr} />
      <Secret label={text.secret} value={made.secret} copy={copy} copied={copied} failed={notCopied} />
      <Form
        action={action}
        fields={['code']}
        onSubmit={(values) => {
          void action.run(async () => {
            const code = textOf(values, 'code').replaceAll(' ', '');
            const { confirmTotp } = await graph.mutate('confirmTotp', { code });
            onAdded(confirmTotp?.recoveryCodes ?? []);
          });
        }}
      >
        <TextInput
          name="code"
          label={text.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={8}
          isRequired
          autoFocus
        />
        <div className="acts">
          <Button onPress={onClose}>{cancel}</Button>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.confirm}
          </Button>
        </div>
      </Form>
    </>
  );
}

/** A text as a QR code: dark squares on a light ground in either colour scheme, since readers expect that. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
