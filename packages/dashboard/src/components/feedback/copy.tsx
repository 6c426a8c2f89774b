import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import './copy.css';
import { toast } from './toast.tsx';

/** Copies text to the clipboard and confirms it. */
export async function copyText(text: string, what = 'Copied'): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
    return true;
  } catch {
    toast('The browser blocked copying. Select the text and copy it manually.', { failed: true });
    return false;
  }
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <IconButton label={label} onPress={() => void copyText(text).then(setDone)}>
      {done ? <Check size={14} /> : <Copy size={14} />}
    </IconButton>
  );
}

/** An id that can be copied. */
export function Id({ value }: { value: string }) {
  return (
    <span className="id">
      <code>{value}</code>
      <CopyButton text={value} label={`Copy ${value}`} />
    </span>
  );
}
