// The style sheet of the page of the API, a constant of its own because the page's policy holds its digest. The colours are those of
// the pages for recipients and accounts.
import { palette } from '../../lib/hosted-page'

export const style = `${palette}
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 4rem; background: var(--sheet); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--strong) } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
header p { white-space: pre-line }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
h2 { margin: 2.5rem 0 .5rem } h3 { margin: 1rem 0 .25rem; font-size: 1rem } small { font-weight: normal; color: var(--quiet) }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .4rem .75rem }
summary { cursor: pointer; overflow-wrap: anywhere } summary span { color: var(--quiet) }
summary b { display: inline-block; min-width: 4.5rem; font-family: ui-monospace, monospace }
code, pre { font-family: ui-monospace, monospace } pre { overflow-x: auto; margin: .3rem 0 }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
`
