// Runs inside the frame in which a mail is shown: takes its HTML from the dashboard and reports its height. Scripts of the mail do not
// run, because nothing that is set this way is executed and the frame's policy allows no script but this file. Reports that the policy kept
// something from being loaded, which are images.

document.addEventListener('securitypolicyviolation', () => parent.postMessage({ mailBlocked: true }, '*'))

addEventListener('message', ({ data, source }: MessageEvent<{ html?: unknown }>) => {
  if (source !== parent || typeof data?.html !== 'string') return
  const mail = new DOMParser().parseFromString(data.html, 'text/html')
  // A link would tell its host that somebody is looking: a browser prefetches it whatever the policy says.
  for (const gone of mail.querySelectorAll('meta[http-equiv], base, link')) gone.remove()
  document.replaceChild(document.adoptNode(mail.documentElement), document.documentElement)
  for (const link of document.links) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' })
  new ResizeObserver(tellHeight).observe(document.documentElement)
  tellHeight()
})

function tellHeight(): void {
  parent.postMessage({ mailHeight: document.documentElement.scrollHeight }, '*')
}
