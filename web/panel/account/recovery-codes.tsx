import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Secret } from '../../design/controls/secret.js';
import { frameTexts } from '../frame/texts.js';
import { accountTexts } from './texts.js';

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
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
