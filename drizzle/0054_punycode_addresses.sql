-- The address with its domain in Punycode (RFC 3492), for addresses that were erased before they had one spelling: only their hashes are left.
create function punycode_address(address text) returns text language plpgsql immutable strict parallel safe as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  domain constant text := substring(address from '@([^@]*)$');
  spelled text[] := '{}';
  label text;
  points int[];
  point int;
  written text;
  plain int;
  handled int;
  following int;
  lowest int;
  delta int;
  bias int;
  q int;
  k int;
  t int;
begin
  if domain is null then return address; end if;
  foreach label in array string_to_array(domain, '.') loop
    if octet_length(label) = char_length(label) then
      spelled := spelled || label;
      continue;
    end if;
    points := array(select ascii(substr(label, place, 1)) from generate_series(1, char_length(label)) as place order by place);
    written := regexp_replace(label, '[^\x01-\x7f]', '', 'g');
    plain := char_length(written);
    if plain > 0 then written := written || '-'; end if;
    handled := plain;
    lowest := 128;
    delta := 0;
    bias := 72;
    while handled < cardinality(points) loop
      select min(each) into following from unnest(points) as each where each >= lowest;
      delta := delta + (following - lowest) * (handled + 1);
      lowest := following;
      foreach point in array points loop
        if point < lowest then delta := delta + 1; end if;
        continue when point <> lowest;
        q := delta;
        k := 36;
        loop
          t := greatest(1, least(26, k - bias));
          exit when q < t;
          written := written || substr(digits, t + (q - t) % (36 - t) + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        end loop;
        written := written || substr(digits, q + 1, 1);
        delta := case when handled = plain then delta / 700 else delta / 2 end;
        delta := delta + delta / (handled + 1);
        k := 0;
        while delta > 455 loop
          delta := delta / 35;
          k := k + 36;
        end loop;
        bias := k + 36 * delta / (delta + 38);
        delta := 0;
        handled := handled + 1;
      end loop;
      delta := delta + 1;
      lowest := lowest + 1;
    end loop;
    spelled := spelled || ('xn--' || written);
  end loop;
  return left(address, char_length(address) - char_length(domain)) || array_to_string(spelled, '.');
end
$$;
