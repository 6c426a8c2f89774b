/** The style of the pages, in light and dark, for desktop and phone. */
export const styleSheet = `:root {
  color-scheme: light dark;
  --canvas: light-dark(#f6f7f8, #0b0d0f);
  --surface: light-dark(#ffffff, #131619);
  --hover: light-dark(#f2f4f5, #1b1f23);
  --line: light-dark(#e3e6e9, #262b30);
  --text: light-dark(#15181c, #eceef0);
  --text-2: light-dark(#4c545e, #b1b8c0);
  --accent: light-dark(#0a6c74, #58c4c9);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 14px/20px system-ui, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 32px 24px 48px; }
header { margin-bottom: 20px; }
header p { margin: 4px 0 0; color: var(--text-2); }
h1 { margin: 0; font-size: 22px; line-height: 30px; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 0 0 8px; font-size: 14px; line-height: 20px; font-weight: 600; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible, iframe:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.mails { margin: 0; padding: 0; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) auto; gap: 4px 16px; padding: 10px 16px; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--hover); }
.mails a:focus-visible { outline-offset: -2px; }
.subject { font-weight: 600; }
.subject, .to { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.to, time { color: var(--text-2); }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.empty { margin: 0; padding: 48px 24px; text-align: center; color: var(--text-2); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
dl, section, details { margin: 0 0 16px; padding: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
dl div { display: flex; gap: 16px; padding: 2px 0; }
dt { flex: 0 0 72px; color: var(--text-2); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
summary { font-weight: 600; cursor: pointer; }
details pre { margin-top: 12px; }
pre { margin: 0; font: 13px/19px ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 760px; border: 1px solid var(--line); border-radius: 8px; background: var(--canvas); }
@media (max-width: 640px) {
  main { padding: 20px 16px 32px; }
  .mails a { grid-template-columns: minmax(0, 1fr); padding: 12px 16px; }
  .subject { white-space: normal; }
  section { padding: 16px 12px; }
  iframe { height: 1080px; }
}
`;
