// The logo: a waxwing, with its crest, its mask, a drop of wax on the wing and the yellow end of its tail. The same drawing as mark.svg.

export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="1.5 2.5 27 27" className={className} aria-hidden="true">
      <path
        fill="#a5856d"
        d="M5 13.5C5.6 9 9 6 13.2 5.8 15.6 5.7 17.5 4.9 19.4 3c.2 2.6-.5 4.7-1.7 6.300C21.5 12 24 16 24.2 20.500L13.7 25C8.6 24.2 5.4 19.6 5 13.500z"
      />
      <path
        fill="#6b7280"
        d="M15.5 17.200c3.9-.6 7.3.9 8.7 3.300l3.6 6.3-3.9 1.9-4.6-3.500c-2.5-.6-4.3-3.9-3.8-8z"
      />
      <path
        fill="#f0b429"
        d="M26.7 24.900l1.5 2.600c.3.5.1 1-.4 1.300l-2.6 1.200c-.4.2-.8.1-1.1-.2l-1.9-1.600z"
      />
      <path
        fill="#2a2320"
        d="M1.8 13.400c2-1.3 3.7-2 5.4-2.1 2.1-.6 4-.4 5.6.5-1.4 1.5-3.3 2.1-5.3 1.8-.7 1-1.5 1.7-2.6 2.1-.7-.9-1.8-1.7-3.1-2.300z"
      />
      <circle cx="9.6" cy="11.9" r=".7" fill="#fff" />
      <path fill="#d9482f" d="M17.9 21.600c1.4-.5 2.9-.2 3.7.6-.9 1-2.6 1.3-3.9.8z" />
    </svg>
  )
}
