import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Secret } from '../../design/controls/secret.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from './texts.js';

/** Shows the secret of a webhook, once. */
export function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}) {
  const { webhooks: text } = developerTexts.get();
  const { copy, copied, notCopied } = frameTexts.get();
  return (
    <Dialog title={text.secretTitle} isOpen={secret !== undefined} isFirm onClose={onClose}>
      <p className="notice">{text.secretText}</p>
      <Secret label={text.secret} value={secret ?? ''} copy={copy} copied={copied} failed={notCopied} />
      <div className="acts">
        <Button kind="main" onPress={onClose}>
          {text.stored}
        </Button>
      </div>
    </Dialog>
  );
}
