import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { QrCode } from './qr-code.js';
import { accountTexts } from './texts.js';

/** A secret that counts once its first code has come. */
export interface NewSecret {
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
export function AddTotp({ made, onClose, onAdded }: AddTotpProps) {
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
