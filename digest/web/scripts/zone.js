// Puts the time zone of the browser into forms that ask for none, and offers it beside a choice of time zones.
"use strict";
(function () {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) {
    return;
  }
  for (const field of document.querySelectorAll('input[type="hidden"][name="zone"]')) {
    field.value = zone;
  }
  const select = document.querySelector('select[name="zone"]');
  const offer = document.getElementById("own-zone");
  if (!select || !offer || select.value === zone || ![...select.options].some((option) => option.value === zone)) {
    return;
  }
  offer.textContent = offer.textContent.replace("{zone}", zone);
  offer.hidden = false;
  offer.addEventListener("click", () => {
    select.value = zone;
    select.focus();
    offer.hidden = true;
  });
})();
