import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { copyText } from '../components/copy.tsx';
import { saveFile } from '../components/secret-once.tsx';
import './authenticator.css';

export interface BackupCodesProps {
  codes: readonly string[];
  /** What comes next, for the button. */
  action: string;
  onDone: () => void;
}

/** The codes that let one in without the phone, shown once. */
export function BackupCodes({ codes, action, onDone }: BackupCodesProps) {
  const [stored, setStored] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="stack">
      <p className="modal-text">
        If your phone is lost, each of these lets you in once. They are shown now and never again.
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
          Copy
        </Button>
        <Button onPress={() => saveFile({ name: 'tributary-backup-codes.txt', text })}>
          <Download size={14} aria-hidden />
          Download
        </Button>
      </div>
      <Checkbox isSelected={stored} onChange={setStored}>
        I have stored them
      </Checkbox>
      <Button kind="primary" wide isDisabled={!stored} onPress={onDone}>
        {action}
      </Button>
    </div>
  );
}
