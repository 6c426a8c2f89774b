import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/controls/button.tsx';
import { Checkbox } from '../components/controls/checkbox.tsx';
import { copyText } from '../components/feedback/copy.tsx';
import { saveFile } from '../components/feedback/secret-once.tsx';
import './authenticator.css';

export interface BackupCodesProps {
  codes: readonly string[];
  /** The label of the button. */
  action: string;
  onDone: () => void;
}

/** Backup codes for signing in without the phone, shown once. */
export function BackupCodes({ codes, action, onDone }: BackupCodesProps) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="stack">
      <p className="modal-text">
        If you lose your phone, you can sign in with one of these codes. Each works once. They are shown only
        now.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onPress={() => void copyText(text)}>
          <Copy size={14} aria-hidden />
          Copy codes
        </Button>
        <Button onPress={() => saveFile({ name: 'tributary-backup-codes.txt', text })}>
          <Download size={14} aria-hidden />
          Download codes
        </Button>
      </div>
      <Checkbox isSelected={stored} onChange={setStored}>
        I have stored these codes
      </Checkbox>
      <Button kind="primary" wide isDisabled={!stored} onPress={onDone}>
        {action}
      </Button>
    </div>
  );
}
