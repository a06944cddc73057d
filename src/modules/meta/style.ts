// The style sheets of the page of the API and of the guides, constants of their own because the policies of the pages hold their digests. The colours are those of
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

/** Of the guides: text to be read from start to end. */
export const guideStyle = `${palette}
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0 auto; max-width: 50rem; padding: 1rem 1.25rem 4rem; background: var(--sheet); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word }
a { color: var(--link) } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
header { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-bottom: 1px solid var(--line) } header a { padding: .6rem 0 }
h1 { margin: 1.5rem 0 1rem; font-size: 1.9rem; line-height: 1.2 } h2 { margin: 2.5rem 0 .75rem; font-size: 1.35rem; line-height: 1.3 } h3 { margin: 1.75rem 0 .5rem; font-size: 1.1rem }
nav { display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; margin: 0 0 1.5rem; padding: .75rem 1rem; border-radius: 8px; background: var(--note); font-size: .9rem } nav a { padding: .2rem 0 }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
:not(pre) > code { padding: .1em .3em; border-radius: 4px; background: var(--ground); overflow-wrap: anywhere }
pre { margin: 1rem 0; padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); line-height: 1.5 } pre code { font-size: 1em }
table { display: block; overflow-x: auto; margin: 1rem 0; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top } td { min-width: 7rem } td code { overflow-wrap: normal }
li { margin: .25rem 0 } blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 4px solid var(--line); color: var(--quiet) }
@media print { header, nav { display: none } }
`
