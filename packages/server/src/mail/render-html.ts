import { html, printHtml, type Html } from '../html.ts';
import type { MailBlock, MailContent } from './mail-content.ts';

/**
 * Renders the mail as HTML without external resources or open tracking. Colors are inline because many mail programs drop style sheets. Those
 * that keep them also get dark colors.
 */
export function renderHtml({ subject, preheader, blocks }: MailContent): string {
  return printHtml(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>${subject}</title>
          <style>
            :root {
              color-scheme: light dark;
            }
            @media (prefers-color-scheme: dark) {
              .canvas {
                background: #0b0d0f !important;
              }
              .card {
                background: #131619 !important;
                border-color: #262b30 !important;
              }
              .text {
                color: #eceef0 !important;
              }
              .text-2 {
                color: #b1b8c0 !important;
              }
              .ink {
                background: #eceef0 !important;
                color: #131619 !important;
              }
            }
          </style>
        </head>
        <body
          class="canvas"
          style="margin:0;padding:24px 12px;background:#f6f7f8;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
        >
          <div style="display:none;max-height:0;overflow:hidden">${preheader}</div>
          <div
            class="card"
            style="max-width:560px;margin:0 auto;padding:28px 24px 12px;box-sizing:border-box;background:#ffffff;border:1px solid #e3e6e9;border-radius:12px"
          >
            ${blocks.map(renderBlock)}
          </div>
        </body>
      </html> `,
  );
}

function renderBlock(block: MailBlock): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h1
        class="text"
        style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:#15181c;overflow-wrap:anywhere"
      >
        ${block.text}
      </h1>`;
    case 'paragraph':
      return html`<p
        class="text"
        style="margin:0 0 16px;font-size:16px;line-height:24px;color:#15181c;overflow-wrap:anywhere"
      >
        ${block.text}
      </p>`;
    case 'note':
      return html`<p
        class="text-2"
        style="margin:0 0 16px;font-size:14px;line-height:20px;color:#4c545e;overflow-wrap:anywhere"
      >
        ${block.text}
      </p>`;
    case 'list':
      return html`<ul
        class="text"
        style="margin:0 0 16px;padding:0 0 0 20px;font-size:16px;line-height:24px;color:#15181c"
      >
        ${block.items.map((item) => html`<li style="margin:0 0 4px">${item}</li>`)}
      </ul>`;
    case 'button':
      return html`<p style="margin:24px 0">
        <a
          class="ink"
          href="${block.url}"
          style="display:inline-block;padding:12px 20px;border-radius:8px;background:#15181c;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none"
          >${block.label}</a
        >
      </p>`;
    default:
      return block satisfies never;
  }
}
